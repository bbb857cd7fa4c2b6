// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private to clang_face.cpp: -ftime-trace of passes in this process, where LLVM keeps a trace a
// thread, and the file that several passes over one source have in common.
#ifndef TN_COMPILE_CLANG_TIME_TRACE_HPP
#define TN_COMPILE_CLANG_TIME_TRACE_HPP

#include "clang/Frontend/CompilerInstance.h"
#include "compile/clang/clang_face.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/TimeProfiler.h"

#include <map>

namespace tenon_clang {

class time_trace {
 public:
  time_trace(const clang::CompilerInstance &clang, const tn_face_pass &pass)
      : path_(clang.getFrontendOpts().TimeTracePath), pass_(pass) {
    const clang::FrontendOptions &options = clang.getFrontendOpts();
    if (!path_.empty()) {
      llvm::timeTraceProfilerInitialize(options.TimeTraceGranularity, "clang",
                                        options.TimeTraceVerbose);
    }
  }
  ~time_trace() {
    if (!llvm::timeTraceProfilerEnabled()) {
      return;
    }
    llvm::SmallVector<char, 0> text;
    llvm::raw_svector_ostream out(text);
    llvm::timeTraceProfilerWrite(out);
    llvm::timeTraceProfilerCleanup();
    pass_.trace(pass_.user, path_.c_str(), text.data(), text.size());
  }
  time_trace(const time_trace &) = delete;
  time_trace &operator=(const time_trace &) = delete;

 private:
  std::string path_;
  const tn_face_pass &pass_;
};

// Times of a trace count from its own beginning, and threads have the system's numbers, which two
// passes may share.
class joined_traces {
 public:
  bool add(llvm::StringRef name, llvm::StringRef text) {
    llvm::Expected<llvm::json::Value> read = llvm::json::parse(text);
    if (!read) {
      llvm::consumeError(read.takeError());
      return false;
    }
    llvm::json::Object *root = read->getAsObject();
    llvm::json::Array *events = root ? root->getArray("traceEvents") : nullptr;
    const std::optional<int64_t> begin = root ? root->getInteger("beginningOfTime") : std::nullopt;
    if (!events || !begin) {
      return false;
    }
    parts_.push_back({name.str(), *begin, std::move(*events)});
    return true;
  }

  void write(llvm::raw_ostream &out) {
    int64_t first = INT64_MAX;
    for (const part &one : parts_) {
      first = std::min(first, one.begin);
    }
    llvm::json::Array all;
    for (part &one : parts_) {
      std::map<int64_t, int64_t> threads;
      for (llvm::json::Value &value : one.events) {
        if (llvm::json::Object *event = value.getAsObject()) {
          move(*event, one, one.begin - first, threads);
          all.push_back(std::move(value));
        }
      }
    }
    out << llvm::json::Value(
        llvm::json::Object{{"traceEvents", std::move(all)}, {"beginningOfTime", first}});
  }

 private:
  struct part {
    std::string name;
    int64_t begin;  // microseconds
    llvm::json::Array events;
  };

  void move(llvm::json::Object &event, const part &of, int64_t later,
            std::map<int64_t, int64_t> &threads) {
    if (const auto thread = event.getInteger("tid")) {
      const auto [at, is_new] = threads.try_emplace(*thread, next_thread_);
      next_thread_ += is_new;
      event["tid"] = at->second;
    }
    const std::optional<llvm::StringRef> kind = event.getString("ph");
    if (kind == "M") {
      if (event.getString("name") == "thread_name") {
        event["args"] = llvm::json::Object{{"name", of.name}};
      }
    } else if (const auto start = event.getInteger("ts")) {
      event["ts"] = *start + later;
    }
  }

  std::vector<part> parts_;
  int64_t next_thread_ = 1;
};

}  // namespace tenon_clang

#endif
