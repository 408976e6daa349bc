#include "tools/course/judge/call_file.h"

#include "tools/course/judge/counters_crossing.h"
#include "tools/course/judge/crossing.h"

namespace andrea::judge {
namespace {

constexpr std::string_view kCall = "ANDREA call 1\n";
constexpr std::string_view kReply = "ANDREA reply 1\n";

// For the counters of each source line, which are many, and for the texts.
constexpr std::size_t kRoom = std::size_t{4} << 20;

using Counters = std::vector<simulator::KernelCounters>;

}  // namespace

std::string bytes_of(const Call& call) {
  ResultSender to;
  to.raw(kCall.data(), kCall.size());
  Crossing<Nonce>::put(to, call.nonce);
  to.text(call.function);
  to.number(call.counting);
  to.text(call.seed);
  to.text(call.timeout);
  to.text(call.arguments);
  to.number(static_cast<std::uint64_t>(call.buffers.size()));
  for (const Buffer& buffer : call.buffers) {
    to.text(buffer.name);
    to.number(buffer.pinned);
    to.text(buffer.contents);
  }
  return to.bytes();
}

Call call_from(std::string_view bytes) {
  ResultReceiver from(bytes);
  if (from.raw(kCall.size()) != kCall) throw Malformed("it is no call");
  Call call;
  call.nonce = Crossing<Nonce>::get(from);
  call.function = from.text();
  call.counting = from.number<bool>();
  call.seed = from.text();
  call.timeout = from.text();
  call.arguments = from.text();
  for (std::size_t left = from.count(1); left > 0; --left) {
    Buffer buffer;
    buffer.name = from.text();
    buffer.pinned = from.number<bool>();
    buffer.contents = from.text();
    call.buffers.push_back(std::move(buffer));
  }
  from.end();
  return call;
}

std::string bytes_of(const Reply& reply, const Nonce& nonce) {
  ResultSender to;
  to.raw(kReply.data(), kReply.size());
  Crossing<Nonce>::put(to, nonce);
  to.text(reply.result);
  to.number(reply.errors);
  to.number(reply.cuda_error);
  to.number(reply.counters.has_value());
  Crossing<Counters>::put(to, reply.counters.value_or(Counters()));
  to.number(reply.by_the_host);
  for (const std::string& contents : reply.contents) to.text(contents);
  return to.bytes();
}

Reply reply_from(std::string_view bytes, const Call& call) {
  ResultReceiver from(bytes);
  if (from.raw(kReply.size()) != kReply) throw Malformed("it is no reply");
  if (Crossing<Nonce>::get(from) != call.nonce) throw Malformed("it is another call's");
  Reply reply;
  reply.result = from.text();
  reply.errors = from.number<std::uint64_t>();
  reply.cuda_error = from.number<int>();
  const bool counted = from.number<bool>();
  Counters counters = Crossing<Counters>::get(from);
  if (counted) reply.counters = std::move(counters);
  reply.by_the_host = from.number<bool>();
  for (const Buffer& buffer : call.buffers) {
    const std::string_view contents = from.text();
    if (contents.size() != buffer.contents.size()) {
      throw Malformed("a buffer is not of the size that it was");
    }
    reply.contents.emplace_back(contents);
  }
  from.end();
  return reply;
}

std::size_t largest_reply(const Call& call) {
  std::size_t bytes = kRoom;
  for (const Buffer& buffer : call.buffers) bytes += buffer.contents.size() + 64;
  return bytes;
}

}  // namespace andrea::judge
