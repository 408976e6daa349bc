// Does nothing.
// ---- map
