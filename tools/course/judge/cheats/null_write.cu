// Writes to no address.
// ---- map
*static_cast<volatile int*>(nullptr) = 1;
