package config

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/caarlos0/env/v11"
	"github.com/joho/godotenv"
)

const (
	// FileVariable names another env file than the dev stack's.
	FileVariable = "QUITTANCE_ENV_FILE"
	// DirVariable names the dev stack's data directory; its env file is used when FileVariable is not set.
	DirVariable = "DEVSTACK_DIR"

	defaultDir  = ".devstack"
	envFileName = "env"
)

// withEnvFile adds the env file's variables to those that are set; what is set wins. Without a named file it looks for
// .devstack/env in the working directory and its parents, as git looks for its folder; none is fine.
func withEnvFile(environ []string) (map[string]string, error) {
	set := env.ToMap(environ)
	path, err := envFile(set)
	if err != nil {
		return nil, err
	}
	if path == "" {
		return set, nil
	}
	vars, err := godotenv.Read(path)
	if err != nil {
		return nil, fmt.Errorf("read env file %s: %w", path, err)
	}
	for name, value := range set {
		vars[name] = value
	}
	return vars, nil
}

// Export puts the env file's variables into this process's environment, without touching those that are set. Libraries
// that read the environment by themselves (Temporal's envconfig) then see them too.
func Export() error {
	vars, err := withEnvFile(os.Environ())
	if err != nil {
		return err
	}
	for name, value := range vars {
		if _, isSet := os.LookupEnv(name); !isSet {
			if err := os.Setenv(name, value); err != nil {
				return fmt.Errorf("export %s: %w", name, err)
			}
		}
	}
	return nil
}

// Process is Export, and returns the environment with what was added.
func Process() ([]string, error) {
	if err := Export(); err != nil {
		return nil, err
	}
	return os.Environ(), nil
}

func envFile(set map[string]string) (string, error) {
	if path := set[FileVariable]; path != "" {
		return path, nil
	}
	if dir := set[DirVariable]; dir != "" {
		return existing(filepath.Join(dir, envFileName)), nil
	}
	dir, err := os.Getwd()
	if err != nil {
		return "", fmt.Errorf("find the working directory: %w", err)
	}
	for {
		if path := existing(filepath.Join(dir, defaultDir, envFileName)); path != "" {
			return path, nil
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return "", nil
		}
		dir = parent
	}
}

func existing(path string) string {
	if _, err := os.Stat(path); err != nil {
		return ""
	}
	return path
}
