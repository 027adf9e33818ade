package config

import "reflect"

// Variable is what a person must know of an environment variable to set it.
type Variable struct{ Name, Default, Meaning string }

// Variables lists what a process with the configuration T reads, in the order of the structs, so that no text can drift from them.
func Variables[T any]() []Variable {
	list := []Variable{
		{FileVariable, "", "file with more variables, such as the one that make up writes; what is set wins"},
		{DirVariable, defaultDir, "the dev stack's folder: its file " + envFileName + " is read if no other is named"},
	}
	for _, f := range reflect.VisibleFields(reflect.TypeFor[T]()) {
		if name := f.Tag.Get("env"); name != "" {
			list = append(list, Variable{name, f.Tag.Get("envDefault"), f.Tag.Get("help")})
		}
	}
	return list
}
