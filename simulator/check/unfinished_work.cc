#include "simulator/check/unfinished_work.h"

#include <algorithm>

namespace simulator {

void UnfinishedWork::begin(const std::string& name, bool is_kernel, const SourceLine& line) {
  const Operation* const operation = running_operation();
  if (operation == nullptr) {
    current_ = 0;
    return;
  }
  const std::lock_guard<std::mutex> lock(mutex_);
  while (!pieces_.empty() && host_has_seen(pieces_.front().operation)) pieces_.pop_front();
  current_ = static_cast<std::uint32_t>(operation->number);
  if (!pieces_.empty() && pieces_.back().operation.number == operation->number) return;
  Piece piece;
  piece.operation = *operation;
  piece.name = name;
  piece.is_kernel = is_kernel;
  piece.line = line;
  pieces_.push_back(std::move(piece));
}

UnfinishedWork::Piece* UnfinishedWork::find(std::uint32_t number) {
  const auto found = std::lower_bound(
      pieces_.begin(), pieces_.end(), number,
      [](const Piece& piece, std::uint32_t wanted) { return piece.operation.number < wanted; });
  return found != pieces_.end() && found->operation.number == number ? &*found : nullptr;
}

void UnfinishedWork::forget(std::uint32_t number) {
  std::erase_if(pieces_, [&](const Piece& piece) { return piece.operation.number == number; });
}

bool UnfinishedWork::is_finished(const Piece& piece) {
  // A function of the host in a stream comes after what the stream did before.
  const Operation* const running = running_operation();
  if (running != nullptr && ordered(piece.operation, *running)) return true;
  return host_has_seen(piece.operation);
}

std::optional<UnfinishedWork::Piece> UnfinishedWork::met_by_host(Region& region,
                                                                 std::uintptr_t address,
                                                                 std::size_t bytes, bool write) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (pieces_.empty()) return std::nullopt;
  for (std::uintptr_t at = address / 4 * 4; at < address + bytes; at += 4) {
    const DeviceUse& use = region.device_use(at);
    for (const bool by_writer : {true, false}) {
      if (!by_writer && !write) continue;
      const std::uint32_t number = by_writer ? use.writer : use.reader;
      Piece* const piece = number == 0 ? nullptr : find(number);
      if (piece == nullptr || is_finished(*piece)) continue;
      Piece result = *piece;
      result.is_write = by_writer;
      result.address = std::max(at, address);
      forget(number);
      return result;
    }
  }
  return std::nullopt;
}

void UnfinishedWork::seen_by_host(Region& region, std::uintptr_t address) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const std::uint32_t number = region.device_use(address).writer;
  forget(number);
}

}  // namespace simulator
