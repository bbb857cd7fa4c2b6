// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private to clang_face.cpp: a hash of what the parser is given of a source, without comments.
#ifndef TN_COMPILE_CLANG_SOURCE_PRINT_HPP
#define TN_COMPILE_CLANG_SOURCE_PRINT_HPP

#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "clang/Lex/PPCallbacks.h"
#include "clang/Lex/Preprocessor.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/Support/BLAKE3.h"

#include <algorithm>
#include <vector>

namespace tenon_clang {

// Two sources with one print are one to the parser, but for where their tokens are: what it sees of
// each line (tokens behind macros and includes, their layout, pragmas), which files are systems',
// and the macros that are left for text behind it. It has no print when the result may tell places:
// by __builtin_LINE and its kin, or in ways that are not looked into.
//
// Tokens are seen as they come from the preprocessor, so that a run that only preprocesses has the
// same print as one that compiles. What follows the source (kernel entries) is not in it.
class source_print {
 public:
  explicit source_print(clang::Preprocessor &preprocessor)
      : preprocessor_(preprocessor), sources_(preprocessor.getSourceManager()) {
    for (const char *name : {"__builtin_LINE", "__builtin_FILE", "__builtin_FILE_NAME",
                             "__builtin_COLUMN", "__builtin_source_location"}) {
      places_.insert(preprocessor.getIdentifierInfo(name));
    }
    preprocessor.addPPCallbacks(std::make_unique<callbacks>(*this));
  }

  void see(const clang::Token &token) {
    if (is_over_ || token.is(clang::tok::eof) || token.isAnnotation()) {
      is_good_ = is_good_ && !token.is(clang::tok::annot_embed);
      return;
    }
    const clang::SourceLocation at = token.getLocation();
    if (is_of_pragma(at)) {
      return;
    }
    // Whether a pragma gives the parser a token of its own, which has the line's start, is all one.
    if (token.isAtStartOfLine() || is_behind_pragma_) {
      is_behind_pragma_ = false;
      add_number('\n');
      add_number(sources_.getExpansionColumnNumber(at));
    }
    if (const clang::IdentifierInfo *name = token.getIdentifierInfo()) {
      see_name(name, token);
    }
    add_token(token);
  }

  // At the end of the source. False when there is none.
  bool finish(llvm::BLAKE3Result<> &out) {
    is_over_ = true;
    if (!is_good_) {
      return false;
    }
    add_macros();
    hash_.update(block_);
    hash_.final(out);
    return true;
  }

 private:
  using directive_kind = clang::PragmaIntroducerKind;

  class callbacks final : public clang::PPCallbacks {
   public:
    explicit callbacks(source_print &print) : print_(print) {}
    void FileChanged(clang::SourceLocation, FileChangeReason,
                     clang::SrcMgr::CharacteristicKind kind, clang::FileID) override {
      print_.enter(kind);
    }
    void PragmaDirective(clang::SourceLocation at, directive_kind kind) override {
      print_.see_pragma(at, kind);
    }

   private:
    source_print &print_;
  };

  // By blocks: there are many small things in headers.
  void add_bytes(const void *data, size_t size) {
    constexpr size_t block_size = 8192;
    const auto *bytes = static_cast<const uint8_t *>(data);
    block_.append(bytes, bytes + size);
    if (block_.size() >= block_size) {
      hash_.update(block_);
      block_.clear();
    }
  }
  void add_number(uint64_t number) { add_bytes(&number, sizeof(number)); }
  void add_text(llvm::StringRef text) {
    add_number(text.size());
    add_bytes(text.data(), text.size());
  }

  // The parser makes some keywords names, such as __is_void: all of them count by their text.
  void add_token(const clang::Token &token) {
    const clang::IdentifierInfo *name = token.getIdentifierInfo();
    add_number(name ? clang::tok::identifier : token.getKind());
    if (name) {
      add_text(name->getName());
    } else if (token.isLiteral()) {
      llvm::SmallString<64> storage;
      add_text(preprocessor_.getSpelling(token, storage));
    }
  }

  // Warnings of systems' headers are not said.
  void enter(clang::SrcMgr::CharacteristicKind kind) {
    if (!is_over_ && kind != kind_) {
      kind_ = kind;
      add_number('#');
      add_number(kind);
    }
  }

  void see_name(const clang::IdentifierInfo *name, const clang::Token &token) {
    seen_.insert(name);
    // Signatures tell where a lambda is.
    const bool tells_place = token.is(clang::tok::kw___PRETTY_FUNCTION__)
                                 ? kind_ == clang::SrcMgr::C_User
                                 : places_.contains(name);
    is_good_ = is_good_ && !tells_place;
  }

  // The pragma as it is written, behind "#pragma" or in the string: good as long as no macro is in
  // it. The preprocessor's lexer is just there.
  void see_pragma(clang::SourceLocation at, directive_kind kind) {
    const auto *current = static_cast<const clang::Lexer *>(preprocessor_.getCurrentLexer());
    if (is_over_ || !is_good_) {
      return;
    }
    if (kind == clang::PIK___pragma || !current) {
      is_good_ = false;
      return;
    }
    const char *begin = current->getBufferLocation();
    const char *end = current->getBuffer().end();
    const std::string copy = kind == clang::PIK__Pragma ? std::string(begin, end) : "";
    if (kind == clang::PIK__Pragma) {  // what is behind its end is not known
      begin = copy.data();
      end = begin + copy.size();
    }
    clang::Lexer lexer(sources_.getLocForStartOfFile(sources_.getMainFileID()),
                       preprocessor_.getLangOpts(), begin, begin, end);
    clang::Token token;
    const char *last = begin;
    add_number('p');
    for (bool is_first = true;; is_first = false) {
      lexer.LexFromRawLexer(token);
      if (token.is(clang::tok::eof) || (token.isAtStartOfLine() && !is_first)) {
        break;
      }
      see_pragma_token(token);
      last = lexer.getBufferLocation();
    }
    add_number('e');
    is_behind_pragma_ = true;
    pragma_begin_ = at;
    pragma_end_ = at.isFileID() && kind == clang::PIK_HashPragma ? current->getSourceLocation(last)
                                                                 : clang::SourceLocation();
  }

  // Whether the token is a pragma's, which the parser is given once more behind it.
  bool is_of_pragma(clang::SourceLocation at) const {
    if (pragma_begin_.isInvalid()) {
      return false;
    }
    if (pragma_end_.isValid()) {
      return at.isFileID() && at >= pragma_begin_ && at <= pragma_end_;
    }
    return at.isMacroID() && sources_.getImmediateExpansionRange(at).getBegin() == pragma_begin_;
  }

  void see_pragma_token(const clang::Token &token) {
    is_good_ = is_good_ && !token.needsCleaning();
    if (!is_good_) {
      return;
    }
    add_number(token.getKind());
    if (token.is(clang::tok::raw_identifier)) {
      const clang::IdentifierInfo *name = preprocessor_.getIdentifierInfo(token.getRawIdentifier());
      add_text(name->getName());
      is_good_ = !name->hasMacroDefinition();
    } else if (token.isLiteral()) {
      add_text(llvm::StringRef(token.getLiteralData(), token.getLength()));
    }
  }

  // Names of the source, of precompiled headers and of the language itself may be in what is made
  // of the source behind its end.
  bool is_wanted(const clang::IdentifierInfo *name) const {
    return (seen_.contains(name) || name->isFromAST() ||
            name->isKeyword(preprocessor_.getLangOpts())) &&
           name->getName() != "__TENON_UNIT_ID__";
  }

  void add_macros() {
    std::vector<std::pair<llvm::StringRef, const clang::MacroDirective *>> found;
    const auto end = preprocessor_.macro_end(false);
    for (auto at = preprocessor_.macro_begin(false); at != end; ++at) {
      const clang::MacroDirective *last = at->second.getLatest();
      if (last && is_wanted(at->first) && !sources_.isLoadedSourceLocation(last->getLocation())) {
        found.emplace_back(at->first->getName(), last);
      }
    }
    std::sort(found.begin(), found.end(),
              [](const auto &a, const auto &b) { return a.first < b.first; });
    for (const auto &[name, last] : found) {
      add_text(name);
      const clang::MacroInfo *macro = last->getMacroInfo();
      add_number(macro && last->isDefined() ? 'd' : 'u');
      if (macro && last->isDefined()) {
        add_macro(*macro);
      }
    }
  }

  void add_macro(const clang::MacroInfo &macro) {
    add_number(macro.isFunctionLike());
    add_number(macro.isVariadic());
    add_number(macro.getNumParams());
    for (const clang::IdentifierInfo *parameter : macro.params()) {
      add_text(parameter->getName());
    }
    for (const clang::Token &token : macro.tokens()) {
      add_token(token);
    }
  }

  clang::Preprocessor &preprocessor_;
  const clang::SourceManager &sources_;
  llvm::BLAKE3 hash_;
  llvm::SmallVector<uint8_t, 0> block_;
  clang::SrcMgr::CharacteristicKind kind_ = clang::SrcMgr::C_User;
  llvm::DenseSet<const clang::IdentifierInfo *> seen_;
  llvm::SmallDenseSet<const clang::IdentifierInfo *, 8> places_;
  clang::SourceLocation pragma_begin_;  // of the last one
  clang::SourceLocation pragma_end_;    // where it is a directive of a file
  bool is_behind_pragma_ = false;
  bool is_good_ = true;
  bool is_over_ = false;
};

}  // namespace tenon_clang

#endif
