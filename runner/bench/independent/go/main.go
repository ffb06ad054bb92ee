// spawn, switch and hand-off over goroutines, as somebody writes them who has no harness.
// Run: independent spawn|switch|hand-off ROUNDS
package main

import (
	"fmt"
	"os"
	"runtime"
	"strconv"
	"sync"
)

func spawn() {
	results := make([]int, 1000)
	var done sync.WaitGroup
	for i := range results {
		done.Add(1)
		go func() {
			defer done.Done()
			results[i] = i
		}()
	}
	done.Wait()
	sum := 0
	for _, result := range results {
		sum += result
	}
	if sum != 499500 {
		panic(sum)
	}
}

func yields() {
	var done sync.WaitGroup
	for range 100 {
		done.Add(1)
		go func() {
			defer done.Done()
			for range 200 {
				runtime.Gosched()
			}
		}()
	}
	done.Wait()
}

func play(inbox <-chan int, outbox chan<- int, done *sync.WaitGroup) {
	defer done.Done()
	for range 500 {
		outbox <- <-inbox + 1
	}
}

func handOff() {
	left, right := make(chan int, 1), make(chan int, 1)
	var done sync.WaitGroup
	done.Add(2)
	go play(left, right, &done)
	go play(right, left, &done)
	left <- 0
	done.Wait()
	if <-left != 1000 {
		panic("tokens were lost")
	}
}

func main() {
	once := map[string]func(){"spawn": spawn, "switch": yields, "hand-off": handOff}[os.Args[1]]
	rounds, err := strconv.Atoi(os.Args[2])
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	for range rounds {
		once()
	}
}
