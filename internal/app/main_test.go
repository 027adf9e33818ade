package app_test

import (
	"os"
	"testing"

	"github.com/quittance/quittance/internal/app/apptest"
)

func TestMain(m *testing.M) { os.Exit(apptest.Main(m)) }
