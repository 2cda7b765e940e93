// Reads request bodies like a provider written in Go: one base64 body per line; one line of JSON for each.
package main

import (
	"bufio"
	"encoding/base64"
	"encoding/json"
	"os"
)

type request struct {
	Model               string `json:"model"`
	Stream              *bool  `json:"stream"`
	MaxTokens           *int64 `json:"max_tokens"`
	MaxCompletionTokens *int64 `json:"max_completion_tokens"`
	MaxOutputTokens     *int64 `json:"max_output_tokens"`
	N                   *int64 `json:"n"`
	BestOf              *int64 `json:"best_of"`
	Dimensions          *int64 `json:"dimensions"`
	StreamOptions       *struct {
		IncludeUsage *bool `json:"include_usage"`
	} `json:"stream_options"`
	Thinking *struct {
		BudgetTokens *int64 `json:"budget_tokens"`
	} `json:"thinking"`
	Messages []struct {
		Role    string          `json:"role"`
		Content json.RawMessage `json:"content"`
	} `json:"messages"`
}

type part struct {
	Type string `json:"type"`
	Text string `json:"text"`
}

func read(body []byte) any {
	var r request
	if err := json.Unmarshal(body, &r); err != nil {
		return map[string]any{"error": err.Error()}
	}
	var includeUsage *bool
	if r.StreamOptions != nil {
		includeUsage = r.StreamOptions.IncludeUsage
	}
	var budget *int64
	if r.Thinking != nil {
		budget = r.Thinking.BudgetTokens
	}
	roles, texts := []string{}, []string{}
	for _, m := range r.Messages {
		roles = append(roles, m.Role)
		var text string
		var parts []part
		if json.Unmarshal(m.Content, &text) == nil {
			if text != "" {
				texts = append(texts, text)
			}
		} else if json.Unmarshal(m.Content, &parts) == nil {
			for _, p := range parts {
				if p.Type == "text" {
					texts = append(texts, p.Text)
				}
			}
		}
	}
	return map[string]any{
		"model": r.Model, "stream": r.Stream, "max_tokens": r.MaxTokens,
		"max_completion_tokens": r.MaxCompletionTokens, "max_output_tokens": r.MaxOutputTokens,
		"n": r.N, "best_of": r.BestOf, "dimensions": r.Dimensions, "include_usage": includeUsage,
		"budget_tokens": budget, "roles": roles, "texts": texts,
	}
}

func main() {
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(nil, 64<<20)
	out := json.NewEncoder(os.Stdout)
	out.SetEscapeHTML(false)
	for in.Scan() {
		body, err := base64.StdEncoding.DecodeString(in.Text())
		if err != nil {
			panic(err)
		}
		if err := out.Encode(read(body)); err != nil {
			panic(err)
		}
	}
}
