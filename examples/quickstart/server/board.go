package main

// The data: a handful of pull requests in memory, and what can be done to them.

import (
	"fmt"
	"slices"
	"strings"
	"sync"
)

// PullRequest is one pull request with its reviews and comments.
type PullRequest struct {
	Number   int       `json:"number"`
	Title    string    `json:"title"`
	Author   string    `json:"author"`
	State    string    `json:"state" jsonschema:"enum=open,enum=draft,enum=merged,enum=closed"`
	Labels   []string  `json:"labels"`
	Reviews  []Review  `json:"reviews"`
	Comments []Comment `json:"comments"`
	MergedAt string    `json:"merged_at,omitempty" jsonschema:"format=date-time,description=When it was merged. Absent until then."`
}

// Review is one reviewer's verdict.
type Review struct {
	Reviewer string `json:"reviewer"`
	Verdict  string `json:"verdict" jsonschema:"enum=approved,enum=changes_requested,enum=commented"`
}

// Comment is one remark, on the whole change or on one line of it.
type Comment struct {
	ID     int    `json:"id"`
	Author string `json:"author"`
	Body   string `json:"body"`
	File   string `json:"file,omitempty" jsonschema:"description=The file it is about. Absent if it is about the whole change."`
	Line   int    `json:"line,omitempty" jsonschema:"minimum=1"`
}

// board holds the pull requests. It is safe for concurrent use.
type board struct {
	mu       sync.Mutex
	requests []*PullRequest
	comments int // the last comment's id
}

func newBoard() *board {
	return &board{comments: 1, requests: []*PullRequest{
		{
			Number: 9, Title: "Try a shorter name", Author: "ada", State: "draft",
			Labels: []string{}, Reviews: []Review{}, Comments: []Comment{},
		},
		{
			Number: 8, Title: "Say which server is late", Author: "grace", State: "open",
			Labels: []string{"errors"}, Reviews: []Review{}, Comments: []Comment{},
		},
		{
			Number: 7, Title: "Read the lock before the snapshot", Author: "ada", State: "open",
			Labels:  []string{"bug", "lock"},
			Reviews: []Review{{Reviewer: "grace", Verdict: "approved"}},
			Comments: []Comment{
				{ID: 1, Author: "grace", Body: "Good catch.", File: "schema/lock.go", Line: 42},
			},
		},
		{
			Number: 6, Title: "Sort the tools by name", Author: "edsger", State: "merged",
			Labels:   []string{"output"},
			Reviews:  []Review{{Reviewer: "ada", Verdict: "approved"}},
			Comments: []Comment{}, MergedAt: "2026-03-01T09:30:00Z",
		},
	}}
}

// list returns copies of the pull requests that fit, at most limit of them,
// and how many fit in all. An empty state or label list fits everything.
func (b *board) list(state string, labels []string, limit int) ([]PullRequest, int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	found, total := []PullRequest{}, 0
	for _, pr := range b.requests {
		if !pr.fits(state, labels) {
			continue
		}
		if total++; len(found) < limit {
			found = append(found, pr.clone())
		}
	}
	return found, total
}

func (pr *PullRequest) fits(state string, labels []string) bool {
	if state != "" && pr.State != state {
		return false
	}
	for _, label := range labels {
		if !slices.Contains(pr.Labels, label) {
			return false
		}
	}
	return true
}

func (pr *PullRequest) clone() PullRequest {
	c := *pr
	c.Labels, c.Reviews, c.Comments = slices.Clone(pr.Labels), slices.Clone(pr.Reviews), slices.Clone(pr.Comments)
	return c
}

// change calls f with the pull request of that number, under the lock.
func (b *board) change(number int, f func(*PullRequest) error) (PullRequest, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, pr := range b.requests {
		if pr.Number == number {
			err := f(pr)
			return pr.clone(), err
		}
	}
	return PullRequest{}, fmt.Errorf("there is no pull request %d", number)
}

func (b *board) get(number int) (PullRequest, error) {
	return b.change(number, func(*PullRequest) error { return nil })
}

func (b *board) comment(number int, c Comment) (Comment, error) {
	_, err := b.change(number, func(pr *PullRequest) error {
		b.comments++
		c.ID, c.Author = b.comments, "agent"
		pr.Comments = append(pr.Comments, c)
		return nil
	})
	return c, err
}

func (b *board) merge(number int) (PullRequest, error) {
	return b.change(number, func(pr *PullRequest) error {
		if pr.State != "open" {
			return fmt.Errorf("pull request %d is %s, only an open one can be merged", number, pr.State)
		}
		pr.State, pr.MergedAt = "merged", "2026-03-02T12:00:00Z"
		return nil
	})
}

func (b *board) review(number int, reviewer string) (PullRequest, error) {
	return b.change(number, func(pr *PullRequest) error {
		pr.Reviews = append(pr.Reviews, Review{Reviewer: reviewer, Verdict: "commented"})
		return nil
	})
}

// summary is the board in one line for each state that occurs.
func (b *board) summary() string {
	all, _ := b.list("", nil, len(b.requests))
	var lines []string
	for _, state := range []string{"open", "draft", "merged", "closed"} {
		var numbers []string
		for _, pr := range all {
			if pr.State == state {
				numbers = append(numbers, fmt.Sprintf("#%d", pr.Number))
			}
		}
		if len(numbers) > 0 {
			lines = append(lines, state+": "+strings.Join(numbers, " "))
		}
	}
	return strings.Join(lines, "\n")
}
