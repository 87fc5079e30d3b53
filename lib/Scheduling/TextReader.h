//===- TextReader.h - Reads lines of words and integers ---------*- C++ -*-===//
//
// Part of Grout. For the text forms of problems and schedules.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_SCHEDULING_TEXTREADER_H
#define GROUT_LIB_SCHEDULING_TEXTREADER_H

#include "grout/Analysis/IslContext.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace grout {

/// A reader of text whose lines stand for themselves; '#' starts a comment.
class TextReader {
public:
  explicit TextReader(llvm::StringRef text) : rest(text) {}

  /// Goes to the next line that is not blank; false if there is none.
  bool nextLine() {
    while (!rest.empty()) {
      ++number;
      std::tie(line, rest) = rest.split('\n');
      line = line.split('#').first.trim();
      if (!line.empty())
        return true;
    }
    return false;
  }

  bool atEnd() const { return line.empty(); }

  bool consume(char c) {
    if (!line.consume_front(llvm::StringRef(&c, 1)))
      return false;
    line = line.ltrim();
    return true;
  }

  /// Consumes exactly this name.
  bool consumeWord(llvm::StringRef word) {
    if (peekName() != word)
      return false;
    take(word.size());
    return true;
  }

  bool consumeName(std::string &name) {
    name = peekName().str();
    take(name.size());
    return !name.empty();
  }

  bool consumeInteger(int64_t &value) {
    size_t size =
        line.take_while([](char c) { return llvm::isDigit(c) || c == '-'; })
            .size();
    if (line.take_front(size).getAsInteger(10, value))
      return false;
    take(size);
    return true;
  }

  /// All that is left of the line.
  llvm::StringRef takeRest() { return std::exchange(line, {}); }

  llvm::Error error(const llvm::Twine &message) const {
    return llvm::make_error<AnalysisError>(
        AnalysisErrorKind::Invalid,
        ("line " + llvm::Twine(number) + ": " + message).str());
  }

private:
  llvm::StringRef peekName() const {
    if (line.empty() || llvm::isDigit(line.front()))
      return {};
    return line.take_while([](char c) { return llvm::isAlnum(c) || c == '_'; });
  }

  void take(size_t size) { line = line.drop_front(size).ltrim(); }

  llvm::StringRef rest, line;
  unsigned number = 0;
};

} // namespace grout

#endif // GROUT_LIB_SCHEDULING_TEXTREADER_H
