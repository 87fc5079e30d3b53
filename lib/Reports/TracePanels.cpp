//===- TracePanels.cpp - Drawings of measured runs ------------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "TracePanels.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/JSON.h"
#include <map>

using namespace grout;
using llvm::StringRef;
namespace json = llvm::json;

namespace {

/// The time of a tile, a block or a wait.
struct Event {
  int64_t rank, processor;
  double start, duration;
  /// The kernel or the tile body.
  std::string kernel;
  bool isWait;
};

} // namespace

static llvm::Error makeError(const llvm::Twine &problem) {
  return llvm::createStringError("it is no trace of grout-run: " + problem);
}

/// Reads an event, if it is one that panels show: loads and stores run beside
/// the arithmetic of the same tile. Returns false for others.
static llvm::Expected<bool> readEvent(const json::Value &value, Event &event) {
  json::Path::Root root("event");
  std::string phase, category, name;
  json::ObjectMapper mapper(value, root);
  if (!mapper || !mapper.map("ph", phase))
    return makeError(llvm::toString(root.getError()));
  if (phase != "X")
    return false;
  const json::Object *args = value.getAsObject()->getObject("args");
  if (!mapper.map("cat", category) || !mapper.map("name", name) ||
      !mapper.map("pid", event.rank) || !mapper.map("ts", event.start) ||
      !mapper.map("dur", event.duration))
    return makeError(llvm::toString(root.getError()));
  if (!args || !args->getInteger("processor") || event.duration < 0)
    return makeError("an event has no processor, or ends before its start");
  event.processor = *args->getInteger("processor");
  event.isWait = category == "wait";
  // "chain (3, 0, 0)" and "copy block 7" are a tile and a block.
  event.kernel =
      StringRef(name).take_until([](char c) { return c == ' '; }).str();
  if (std::optional<int64_t> body = args->getInteger("body");
      body && category != "block" && category != "tile")
    event.kernel += " " + std::to_string(*body);
  return event.isWait ||
         llvm::is_contained({"block", "compute", "sum ranks", "tile"},
                            StringRef(category));
}

llvm::Expected<PanelGroup> grout::readTracePanels(StringRef text) {
  llvm::Expected<json::Value> parsed = json::parse(text);
  if (!parsed)
    return makeError(llvm::toString(parsed.takeError()));
  const json::Object *object = parsed->getAsObject();
  const json::Array *array = object ? object->getArray("traceEvents") : nullptr;
  if (!array)
    return makeError("it has no \"traceEvents\"");

  std::map<int64_t, std::vector<Event>> ranks;
  llvm::MapVector<StringRef, unsigned> kernels;
  for (const json::Value &value : *array) {
    Event event;
    llvm::Expected<bool> isShown = readEvent(value, event);
    if (!isShown)
      return isShown.takeError();
    if (*isShown)
      ranks[event.rank].push_back(std::move(event));
  }
  PanelGroup group;
  for (auto &[rank, events] : ranks) {
    // A wait covers a part of its tile.
    llvm::stable_sort(events, [](const Event &a, const Event &b) {
      return a.isWait < b.isWait;
    });
    std::map<int64_t, unsigned> rows;
    for (const Event &event : events)
      rows[event.processor] = 0;
    for (auto [row, entry] : llvm::enumerate(rows))
      entry.second = row;
    Panel panel;
    panel.title = "measured";
    if (ranks.size() > 1)
      panel.title += " on rank " + std::to_string(rank);
    panel.rows = rows.size();
    for (const Event &event : events) {
      unsigned kernel = Bar::kWaiting;
      if (!event.isWait)
        kernel = kernels.insert({event.kernel, kernels.size()}).first->second;
      double end = event.start + event.duration;
      panel.bars.push_back({kernel, rows[event.processor], event.start, end});
      panel.end = std::max(panel.end, end);
    }
    group.panels.push_back(std::move(panel));
  }
  for (auto &[kernel, number] : kernels)
    group.kernels.push_back(kernel.str());
  if (group.kernels.empty())
    return makeError("it has no tile and no block");
  return group;
}
