// File: lane_log.h
//
// The addresses that the lanes of a warp have used with one instruction since the warp last met. A
// lane's addresses are kept as runs of equal steps, so that a loop over an array takes one run,
// however long it is.

#ifndef ANDREA_SIMULATOR_PROFILE_LANE_LOG_H_
#define ANDREA_SIMULATOR_PROFILE_LANE_LOG_H_

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace simulator {

struct AddressRun {
  std::uintptr_t start = 0;  // the first address
  std::uintptr_t step = 0;   // modulo 2^64, so that it may go down
  std::uint64_t count = 0;   // how many accesses
};

// What one lane has touched, in order, in little memory.
class LaneLog {
 public:
  // Returns whether the address began another run.
  bool add(std::uintptr_t address) {
    if (last_.count > 1 && address == last_.start + last_.step * last_.count) {
      ++last_.count;
      return false;
    }
    if (last_.count == 1) {
      last_.step = address - last_.start;
      last_.count = 2;
      return false;
    }
    if (last_.count != 0) earlier_.push_back(last_);
    last_ = {address, 0, 1};
    return true;
  }

  bool empty() const { return last_.count == 0; }  // nothing has been logged since clear()
  // Pieces of accesses at even distances.
  std::size_t runs() const { return earlier_.size() + (last_.count != 0); }
  // One of them, in the order of the accesses.
  const AddressRun& run(std::size_t index) const {
    return index < earlier_.size() ? earlier_[index] : last_;
  }
  // Forgets all.
  void clear() {
    last_ = {};
    if (earlier_.capacity() > kKept) {
      earlier_ = {};
    } else {
      earlier_.clear();
    }
  }

 private:
  static constexpr std::size_t kKept = 1024;

  AddressRun last_;
  std::vector<AddressRun> earlier_;
};

using WarpLog = std::array<LaneLog, 32>;  // of its 32 lanes

// Goes through the rounds of a warp: the first addresses of all lanes together, then the second,
// and so on, while any lane has one.
class Rounds {
 public:
  // Begins before the first round.
  explicit Rounds(const WarpLog& log) : log_(log) {
    for (unsigned lane = 0; lane < 32; ++lane) {
      if (log[lane].empty()) continue;
      lanes_ |= 1u << lane;
      take(lane, 0);
    }
    begin_stretch();
  }

  std::uint32_t lanes() const { return lanes_; }  // 0: there are no more rounds
  // Of the lane's accesses, one after the other.
  const std::uintptr_t* addresses() const { return addresses_.data(); }
  // How many rounds, with this one, have these lanes, every lane going on in steps of its own.
  std::uint64_t stretch() const { return stretch_; }
  // Whether all lanes' steps in them are the same multiple of `grain`.
  bool in_step(std::uintptr_t grain) const { return in_step_ && common_step_ % grain == 0; }

  // At most to the end of the stretch.
  void advance(std::uint64_t rounds) {
    for (unsigned lane = 0; lane < 32; ++lane) addresses_[lane] += steps_[lane] * rounds;
    stretch_ -= rounds;
    done_ += rounds;
    if (stretch_ > 0) return;
    for (std::uint32_t rest = lanes_; rest != 0; rest &= rest - 1) {
      const auto lane = static_cast<unsigned>(std::countr_zero(rest));
      left_[lane] -= done_;
      if (left_[lane] > 0) continue;
      if (run_[lane] + 1 < log_[lane].runs()) {
        take(lane, run_[lane] + 1);
      } else {
        lanes_ &= ~(1u << lane);
      }
    }
    begin_stretch();
  }

 private:
  void take(unsigned lane, std::size_t index) {
    const AddressRun& run = log_[lane].run(index);
    run_[lane] = index;
    addresses_[lane] = run.start;
    steps_[lane] = run.step;
    left_[lane] = run.count;
  }

  void begin_stretch() {
    done_ = 0;
    if (lanes_ == 0) return;
    stretch_ = ~std::uint64_t{0};
    in_step_ = true;
    common_step_ = steps_[static_cast<unsigned>(std::countr_zero(lanes_))];
    for (std::uint32_t rest = lanes_; rest != 0; rest &= rest - 1) {
      const auto lane = static_cast<unsigned>(std::countr_zero(rest));
      stretch_ = std::min(stretch_, left_[lane]);
      in_step_ = in_step_ && steps_[lane] == common_step_;
    }
  }

  const WarpLog& log_;
  std::uint32_t lanes_ = 0;
  std::uint64_t stretch_ = 0;
  std::uint64_t done_ = 0;
  bool in_step_ = false;
  std::uintptr_t common_step_ = 0;
  std::array<std::uintptr_t, 32> addresses_{};
  std::array<std::uintptr_t, 32> steps_{};
  std::array<std::uint64_t, 32> left_{};
  std::array<std::size_t, 32> run_{};
};

}  // namespace simulator

#endif  // ANDREA_SIMULATOR_PROFILE_LANE_LOG_H_
