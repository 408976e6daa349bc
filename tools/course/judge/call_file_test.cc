#include "tools/course/judge/call_file.h"

#include <gtest/gtest.h>

#include <string>

#include "tools/course/judge/crossing.h"
#include "tools/course/judge/wire.h"

namespace andrea::judge {
namespace {

Call a_call() {
  Call call;
  call.nonce = {3, 4};
  call.function = "andrea::lesson00::map";
  call.arguments = "arguments";
  call.buffers = {{"x [2]", false, "eight by"}, {"y [2]", true, std::string(8, '\0')}};
  call.counting = true;
  call.seed = "7";
  return call;
}

Reply a_reply() {
  Reply reply;
  reply.result = "result";
  reply.contents = {"eight ab", "eight by"};
  reply.errors = 2;
  reply.cuda_error = 700;
  simulator::KernelCounters kernel;
  kernel.name = "map_kernel";
  kernel.accesses[1].sectors = 12;
  kernel.lines.push_back({"map.cu", 9, simulator::AccessKind::global_load, 4, {}, -8, 0});
  reply.counters.emplace({kernel});
  reply.by_the_host = true;
  return reply;
}

TEST(CallFile, WhatIsWrittenIsRead) {
  const Call call = call_from(bytes_of(a_call()));
  EXPECT_EQ(call.nonce, a_call().nonce);
  EXPECT_EQ(call.function, "andrea::lesson00::map");
  EXPECT_EQ(call.arguments, "arguments");
  ASSERT_EQ(call.buffers.size(), 2u);
  EXPECT_EQ(call.buffers[0].name, "x [2]");
  EXPECT_EQ(call.buffers[0].contents, "eight by");
  EXPECT_TRUE(call.buffers[1].pinned);
  EXPECT_TRUE(call.counting);
  EXPECT_EQ(call.seed, "7");

  const Reply reply = reply_from(bytes_of(a_reply(), call.nonce), call);
  EXPECT_EQ(reply.result, "result");
  EXPECT_EQ(reply.contents, a_reply().contents);
  EXPECT_EQ(reply.errors, 2u);
  EXPECT_EQ(reply.cuda_error, 700);
  EXPECT_TRUE(reply.by_the_host);
  ASSERT_TRUE(reply.counters);
  EXPECT_EQ(reply.counters->at(0).name, "map_kernel");
  EXPECT_EQ(reply.counters->at(0).accesses[1].sectors, 12u);
  EXPECT_EQ(reply.counters->at(0).lines.at(0).stride, -8);
  EXPECT_LE(bytes_of(a_reply(), call.nonce).size(), largest_reply(call));
}

TEST(CallFile, AReplyThatDoesNotFitIsMalformed) {
  const Call call = a_call();
  const std::string good = bytes_of(a_reply(), call.nonce);
  EXPECT_THROW(reply_from(bytes_of(a_reply(), {3, 5}), call), Malformed);
  EXPECT_THROW(reply_from(bytes_of(call), call), Malformed);
  EXPECT_THROW(reply_from(good + "x", call), Malformed);
  Reply one_less = a_reply();
  one_less.contents.pop_back();
  EXPECT_THROW(reply_from(bytes_of(one_less, call.nonce), call), Malformed);
  Reply shorter = a_reply();
  shorter.contents[1].pop_back();
  EXPECT_THROW(reply_from(bytes_of(shorter, call.nonce), call), Malformed);
  for (std::size_t size = 0; size < good.size(); ++size) {
    EXPECT_THROW(reply_from(good.substr(0, size), call), Malformed) << size;
  }
}

// Whatever stands in a reply, reading it ends, with a reply or with Malformed, and takes no more
// memory than the file.
TEST(CallFile, NoByteOfAReplyIsBelieved) {
  const Call call = a_call();
  const std::string good = bytes_of(a_reply(), call.nonce);
  for (std::size_t at = 0; at < good.size(); ++at) {
    for (const char byte : {'\0', '\x01', '\x7f', '\xff'}) {
      std::string bad = good;
      bad[at] = byte;
      try {
        EXPECT_EQ(reply_from(bad, call).contents.size(), 2u);
      } catch (const Malformed&) {
      }
    }
  }
}

struct Inner {
  std::array<double, 2> pair;
  std::string name;
};
struct Outer {
  int number;
  Inner inner;
  std::vector<Inner> more;
  bool yes;
};

TEST(Crossing, StructsCrossFieldByField) {
  ResultSender to;
  Crossing<Outer>::put(to, {7, {{0.5, -1}, "one"}, {{{1, 2}, "two"}, {{3, 4}, ""}}, true});
  ResultReceiver from(to.bytes());
  const auto outer = Crossing<Outer>::get(from);
  from.end();
  EXPECT_EQ(outer.number, 7);
  EXPECT_EQ(outer.inner.pair[1], -1);
  EXPECT_EQ(outer.inner.name, "one");
  ASSERT_EQ(outer.more.size(), 2u);
  EXPECT_EQ(outer.more[0].name, "two");
  EXPECT_EQ(outer.more[1].pair[0], 3);
  EXPECT_TRUE(outer.yes);
}

}  // namespace
}  // namespace andrea::judge
