// Never returns.
// ---- map
volatile bool goes_on = true;
while (goes_on) {
}
