// Throws what nobody catches.
// ---- map
throw 1;
