// Startup is the smallest process: it does nothing, or runs one goroutine. It imports no more than its measured path needs.
package main

import "os"

// firstTask returns what the task gave.
func firstTask() int {
	result := make(chan int)
	go func() { result <- 1 }()
	return <-result
}

// perform does what the mode asks for and returns the number of tasks that finished.
func perform(mode string) (finished int) {
	if mode == "bare" {
		return 0
	}
	if firstTask() != 1 {
		fail(1, "the task did not return 1")
	}
	return 1
}

func main() {
	mode, report := arguments(os.Args[1:])
	if report {
		speak(mode)
		return
	}
	perform(mode)
}

func arguments(words []string) (mode string, report bool) {
	for _, word := range words {
		switch word {
		case "mode=bare":
			mode = "bare"
		case "mode=first-task":
			mode = "first-task"
		case "report=0":
			report = false
		case "report=1":
			report = true
		default:
			fail(2, "startup: "+word+": wanted mode=bare|first-task and report=0|1")
		}
	}
	if mode == "" {
		fail(2, "startup: mode is missing")
	}
	return mode, report
}

func fail(status int, message string) {
	os.Stderr.WriteString(message + "\n")
	os.Exit(status)
}
