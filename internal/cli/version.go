package cli

import (
	"runtime"
	"runtime/debug"
	"strconv"

	"github.com/quittance/quittance/migrations"
)

type versionCmd struct{}

// Run needs no service and no configuration.
func (c *versionCmd) Run(s *session) error {
	version, revision := "unknown", "unknown"
	if info, ok := debug.ReadBuildInfo(); ok {
		version = info.Main.Version
		for _, setting := range info.Settings {
			if setting.Key == "vcs.revision" {
				revision = setting.Value
			}
		}
	}
	return s.out.one(map[string]any{"version": version, "revision": revision, "go": runtime.Version(), "schema_version": migrations.Latest},
		[2]string{"version", version}, [2]string{"revision", revision}, [2]string{"go", runtime.Version()},
		[2]string{"schema", strconv.Itoa(migrations.Latest)})
}
