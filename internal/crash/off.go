//go:build !crashpoints

package crash

// Enabled says whether this build can crash on purpose.
const Enabled = false

// Point does nothing in this build.
func Point(string) {}
