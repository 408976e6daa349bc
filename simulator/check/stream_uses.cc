#include "simulator/check/stream_uses.h"

#include <algorithm>
#include <iterator>

namespace simulator {

// Makes the address a border between spans, if it lies inside one.
void StreamUses::cut(std::uintptr_t at) {
  auto next = spans_.lower_bound(at);
  if (next == spans_.begin()) return;
  Span& span = std::prev(next)->second;
  if (span.end <= at) return;
  Span rest = span;
  span.end = at;
  spans_.emplace_hint(next, at, std::move(rest));
}

void StreamUses::use_span(Spans::value_type& entry, const StreamUse& use, const Tell& tell) {
  Span& span = entry.second;
  if (span.write.races_with(use)) tell(span.write, entry.first);
  if (use.writes) {
    for (const StreamUse& read : span.reads) {
      if (read.races_with(use)) tell(read, entry.first);
    }
    span.write = use;
    span.reads.clear();
    return;
  }
  // What comes after the new read comes after all that the new read comes after.
  std::erase_if(span.reads, [&](const StreamUse& read) {
    return read.by->operation.number == use.by->operation.number ||
           ordered(read.by->operation, use.by->operation);
  });
  span.reads.push_back(use);
}

void StreamUses::add(std::uintptr_t address, std::size_t bytes, const StreamUse& use,
                     const Tell& tell) {
  const std::uintptr_t end = address + bytes;
  cut(address);
  cut(end);
  auto next = spans_.lower_bound(address);
  for (std::uintptr_t at = address; at < end;) {
    if (next == spans_.end() || next->first > at) {  // nobody has used it
      Span span;
      span.end = next == spans_.end() ? end : std::min(end, next->first);
      next = spans_.emplace_hint(next, at, std::move(span));
    }
    use_span(*next, use, tell);
    at = next->second.end;
    ++next;
  }
}

void StreamUses::forget(std::uintptr_t address, std::size_t bytes) {
  cut(address);
  cut(address + bytes);
  spans_.erase(spans_.lower_bound(address), spans_.lower_bound(address + bytes));
}

}  // namespace simulator
