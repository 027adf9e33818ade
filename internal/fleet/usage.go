package fleet

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/shirou/gopsutil/v4/process"
)

// Usage is what a program takes of the machine.
type Usage struct {
	Memory     uint64  // bytes: proportional set size where the system tells it, else resident set size
	CPUSeconds float64 // since its start
}

// Usage asks for every running service and every server of the stack. Postgres is the sum of its processes.
func (f *Fleet) Usage(ctx context.Context) (map[string]Usage, error) {
	pids := map[string]int{}
	f.mu.Lock()
	for name, s := range f.services {
		pids[name] = s.cmd.Process.Pid
	}
	f.mu.Unlock()
	for _, part := range f.World.Stack.Parts() {
		pids[part.Name()] = part.PID()
	}
	used := map[string]Usage{}
	for _, name := range slices.Sorted(maps.Keys(pids)) {
		u, err := usageOf(ctx, int32(pids[name]))
		if err != nil {
			return nil, fmt.Errorf("ask what %s (pid %d) uses: %w", name, pids[name], err)
		}
		used[name] = u
	}
	return used, nil
}

func usageOf(ctx context.Context, pid int32) (Usage, error) {
	p, err := process.NewProcessWithContext(ctx, pid)
	if err != nil {
		return Usage{}, err
	}
	times, err := p.TimesWithContext(ctx)
	if err != nil {
		return Usage{}, err
	}
	u := Usage{CPUSeconds: times.User + times.System}
	if maps, err := p.MemoryMapsWithContext(ctx, true); err == nil && len(*maps) == 1 && (*maps)[0].Pss > 0 {
		u.Memory = (*maps)[0].Pss * 1024
	} else {
		info, err := p.MemoryInfoWithContext(ctx)
		if err != nil {
			return Usage{}, err
		}
		u.Memory = info.RSS
	}
	children, err := p.ChildrenWithContext(ctx)
	if err != nil {
		return u, nil // none
	}
	for _, child := range children {
		of, err := usageOf(ctx, child.Pid)
		if err != nil {
			continue // it ended meanwhile
		}
		u.Memory += of.Memory
		u.CPUSeconds += of.CPUSeconds
	}
	return u, nil
}
