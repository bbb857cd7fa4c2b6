// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private to clang: the attributes of SYCL's kernels as tokens that Clang's parser knows.
#ifndef TN_COMPILE_CLANG_ATTRIBUTE_TOKENS_HPP
#define TN_COMPILE_CLANG_ATTRIBUTE_TOKENS_HPP

#include "clang/Basic/Diagnostic.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Lex/Token.h"
#include "llvm/ADT/STLExtras.h"

#include <memory>

namespace tenon_clang {

// The names behind sycl::, intel:: or cl::; those without effect take no part in the compilation.
inline constexpr const char *attributes_with_values[] = {
    "reqd_work_group_size", "reqd_sub_group_size", "device_has", "work_group_size_hint"};
inline constexpr const char *attributes_without_effect[] = {"vec_type_hint", "kernel"};
inline constexpr const char *attribute_scopes[] = {"sycl", "intel", "cl"};
// Makes one value of an attribute's (include/sycl/detail/attribute_values.hpp).
inline constexpr char attribute_function[] = "__tenon_attribute_values";

// Turns [[sycl::reqd_work_group_size(8, 8)]] into
//   [[]] sycl::reqd_work_group_size(__tenon_attribute_values(8, 8))
// where the name is one token, a keyword that is an attribute by itself. Clang takes such keywords
// in every place where it takes [[…]], but applies them to the declaration also behind a declarator
// or a lambda's parameters, where [[…]] is the type's. All other tokens, their order and their
// locations stay.
//
// The first bracket is left alone, and all that follows is read and put back below the cache in
// which the parser keeps the tokens that it may read again: the cache only ever holds tokens as
// they are meant to be.
class attribute_tokens {
 public:
  // As the only watcher of the tokens.
  static void watch(clang::Preprocessor &preprocessor) {
    preprocessor.setTokenWatcher([tokens = std::make_unique<attribute_tokens>(preprocessor)](
                                     const clang::Token &token) { tokens->see(token); });
  }

  explicit attribute_tokens(clang::Preprocessor &preprocessor) : preprocessor_(preprocessor) {}

  // Is called for each token that the parser is given for the first time.
  void see(const clang::Token &token) {
    if (is_reading_) {
      return;
    }
    if (is_behind_bracket_) {
      is_behind_bracket_ = false;
      if (token.is(clang::tok::l_square)) {
        take_specifier({});
      }
    } else if (token.is(clang::tok::l_square) && preprocessor_.getLangOpts().CPlusPlus) {
      take_next();
    }
  }

 private:
  using token_list = llvm::SmallVector<clang::Token, 32>;
  using token_range = llvm::ArrayRef<clang::Token>;

  struct attribute {
    llvm::StringRef scope;
    token_range name;       // one token; none in an empty attribute
    token_range arguments;  // with their parentheses; empty without any
  };

  // The parser either reads `[` itself or looks ahead. In the first case the next token is read
  // ahead here, which calls `see`; in the second the lexer still has the next token.
  void take_next() {
    is_behind_bracket_ = true;
    const clang::Token &next = preprocessor_.LookAhead(0);
    const bool is_seen = !is_behind_bracket_;
    is_behind_bracket_ = false;
    if (is_seen || next.getFlag(clang::Token::IsReinjected)) {
      return;
    }
    const clang::Token second = read();
    if (second.is(clang::tok::l_square)) {
      take_specifier({second});
    } else {
      put_back({second});
    }
  }

  clang::Token read() {
    clang::Token token;
    is_reading_ = true;
    preprocessor_.Lex(token);
    is_reading_ = false;
    return token;
  }

  void put_back(token_range tokens) {
    constexpr bool keeps_macros = true;
    constexpr bool is_again = true;
    auto owned = std::make_unique<clang::Token[]>(tokens.size());
    llvm::copy(tokens, owned.get());
    preprocessor_.EnterTokenStream(std::move(owned), static_cast<unsigned>(tokens.size()),
                                   keeps_macros, is_again);
  }

  // Behind the second bracket. `out` has what is to be put back before the rest.
  void take_specifier(token_list out) {
    token_list list;
    if (read_list(list)) {
      rewrite(list, out);
    } else {
      out.append(list);
    }
    put_back(out);
  }

  // Up to the brackets that close the specifier; false where the text is no attribute.
  // nesting_guard does not see what is put back: it has to be less than the parser's stack allows.
  bool read_list(token_list &list) {
    constexpr size_t maximum = 4096;
    unsigned depth = 0;
    while (list.size() < maximum) {
      list.push_back(read());
      const clang::Token &last = list.back();
      const bool is_closing = closes(last);
      if (last.is(clang::tok::eof) || (depth == 0 && last.is(clang::tok::semi))) {
        return false;
      }
      if (depth == 0 && is_closing) {
        break;
      }
      depth += opens(last) ? 1 : 0;
      depth -= is_closing ? 1 : 0;
    }
    if (list.back().isNot(clang::tok::r_square)) {
      return false;
    }
    list.push_back(read());
    return list.back().is(clang::tok::r_square);
  }

  static bool opens(const clang::Token &token) {
    return token.isOneOf(clang::tok::l_paren, clang::tok::l_square, clang::tok::l_brace);
  }
  static bool closes(const clang::Token &token) {
    return token.isOneOf(clang::tok::r_paren, clang::tok::r_square, clang::tok::r_brace);
  }

  // `list` ends with the two closing brackets. Commas stay: attributes in a list may be empty.
  void rewrite(token_range list, token_list &out) {
    const token_range closing = list.take_back(2);
    list = list.drop_back(2);
    llvm::StringRef common;
    if (list.size() > 2 && list[0].is(clang::tok::kw_using) && list[2].is(clang::tok::colon)) {
      common = name_of(list[1]);
      out.append(list.begin(), list.begin() + 3);
      list = list.drop_front(3);
    }
    token_list keywords;
    while (!list.empty()) {
      const token_range item = list.take_front(item_size(list));
      if (!take_attribute(read_attribute(common, item), keywords)) {
        out.append(item.begin(), item.end());
      }
      list = list.drop_front(item.size());
      if (!list.empty()) {
        out.push_back(list.front());
        list = list.drop_front();
      }
    }
    out.append(closing.begin(), closing.end());
    out.append(keywords);
  }

  // Up to the comma behind an attribute. Its arguments are in parentheses.
  static size_t item_size(token_range list) {
    unsigned depth = 0;
    size_t size = 0;
    for (; size < list.size() && (depth > 0 || list[size].isNot(clang::tok::comma)); size++) {
      depth += opens(list[size]) ? 1 : 0;
      depth -= closes(list[size]) ? 1 : 0;
    }
    return size;
  }

  static llvm::StringRef name_of(const clang::Token &token) {
    const clang::IdentifierInfo *name = token.isAnnotation() ? nullptr : token.getIdentifierInfo();
    return name ? name->getName() : llvm::StringRef();
  }

  static attribute read_attribute(llvm::StringRef common, token_range item) {
    attribute found = {common, {}, {}};
    if (item.size() > 2 && item[1].is(clang::tok::coloncolon)) {
      found.scope = name_of(item[0]);
      item = item.drop_front(2);
    }
    found.name = item.empty() ? token_range() : item.take_front();
    found.arguments = item.empty() ? token_range() : item.drop_front();
    return found;
  }

  template <size_t N>
  static bool contains(const char *const (&names)[N], llvm::StringRef name) {
    return llvm::is_contained(names, name);
  }

  // Whether the attribute leaves the list.
  bool take_attribute(const attribute &found, token_list &keywords) {
    if (found.name.empty() || !contains(attribute_scopes, found.scope)) {
      return false;
    }
    const llvm::StringRef name = name_of(found.name[0]);
    if (contains(attributes_with_values, name)) {
      if (has_headers()) {
        add_keyword(found, keywords);
      } else {
        warn_of_headers(found);
      }
      return true;
    }
    // Other attributes of Intel's are hints for other devices.
    return contains(attributes_without_effect, name) || suggest_name(found, name) ||
           found.scope != "sycl";
  }

  // Whether the function has been declared, maybe in a precompiled header.
  bool has_headers() const {
    const clang::IdentifierInfo *name = preprocessor_.getIdentifierInfo(attribute_function);
    return name->getFETokenInfo() || name->isFromAST();
  }

  void warn_of_headers(const attribute &found) const {
    constexpr bool is_for_systems = false;
    clang::DiagnosticsEngine &diagnostics = preprocessor_.getDiagnostics();
    const unsigned id = diagnostics.getDiagnosticIDs()->getCustomDiagID(
        {clang::diag::Severity::Warning,
         "attribute '%0::%1' ignored: include a header of SYCL before it",
         clang::DiagnosticIDs::CLASS_WARNING, is_for_systems, is_for_systems,
         clang::diag::Group::IgnoredAttributes});
    preprocessor_.Diag(found.name[0], id) << found.scope << name_of(found.name[0]);
  }

  // Whether a name was meant that exists; Clang itself warns of all others.
  bool suggest_name(const attribute &found, llvm::StringRef name) const {
    constexpr unsigned far = 4;
    unsigned least = far;
    llvm::StringRef nearest;
    const auto look_at = [&](llvm::StringRef other) {
      const unsigned distance = name.edit_distance(other, /*AllowReplacements=*/true, far);
      if (distance < least) {
        least = distance;
        nearest = other;
      }
    };
    llvm::for_each(attributes_with_values, look_at);
    llvm::for_each(attributes_without_effect, look_at);
    if (nearest.empty()) {
      return false;
    }
    preprocessor_.Diag(found.name[0], clang::diag::warn_unknown_attribute_ignored_suggestion)
        << ("'" + found.scope + "::" + name + "'").str() << nearest;
    return true;
  }

  // The keyword is at the attribute's name. The parser looks tokens up by their locations when it
  // joins them: the function gets one of its own.
  void add_keyword(const attribute &found, token_list &out) const {
    const clang::Token &name = found.name[0];
    const std::string text = (found.scope + "::" + name_of(name)).str();
    const bool has_arguments =
        found.arguments.size() > 1 && found.arguments.front().is(clang::tok::l_paren);
    out.push_back(name);
    out.back().setKind(clang::tok::kw___arm_in);
    out.back().setIdentifierInfo(
        &preprocessor_.getIdentifierTable().get(text, clang::tok::kw___arm_in));
    const clang::Token open =
        has_arguments ? found.arguments.front() : other_token(name, clang::tok::l_paren);
    const clang::Token close =
        has_arguments ? found.arguments.back() : other_token(name, clang::tok::r_paren);
    out.push_back(open);
    out.push_back(other_token(name, clang::tok::identifier));
    out.back().setIdentifierInfo(preprocessor_.getIdentifierInfo(attribute_function));
    out.back().setLocation(name.getLocation().getLocWithOffset(1));
    out.push_back(open);
    if (has_arguments) {
      out.append(found.arguments.begin() + 1, found.arguments.end());
    } else {
      out.push_back(close);
    }
    out.push_back(close);
  }

  static clang::Token other_token(const clang::Token &like, clang::tok::TokenKind kind) {
    clang::Token token;
    token.startToken();
    token.setKind(kind);
    token.setLocation(like.getLocation());
    token.setLength(like.getLength());
    return token;
  }

  clang::Preprocessor &preprocessor_;
  bool is_reading_ = false;         // tokens that are put back
  bool is_behind_bracket_ = false;  // the next token is read ahead for `[`
};

}  // namespace tenon_clang

#endif
