//! Reads request bodies as a provider written in Rust does, by a struct and by a free value: one body a line, in hex; one
//! line of JSON for each.

use serde::Deserialize;
use serde_json::{json, Value};
use std::io::{stdin, stdout, BufRead, BufWriter, Write};

#[derive(Deserialize)]
struct StreamOptions {
    include_usage: Option<bool>,
}

#[derive(Deserialize)]
struct Thinking {
    budget_tokens: Option<i64>,
}

#[derive(Deserialize)]
struct Message {
    role: Option<String>,
    content: Option<Value>,
}

#[derive(Deserialize)]
struct Request {
    model: String,
    stream: Option<bool>,
    max_tokens: Option<i64>,
    max_completion_tokens: Option<i64>,
    max_output_tokens: Option<i64>,
    n: Option<i64>,
    best_of: Option<i64>,
    dimensions: Option<i64>,
    stream_options: Option<StreamOptions>,
    thinking: Option<Thinking>,
    messages: Option<Vec<Message>>,
}

fn texts_of(content: &Value) -> Vec<Value> {
    match content {
        Value::String(text) if !text.is_empty() => vec![content.clone()],
        Value::Array(parts) => parts
            .iter()
            .filter(|part| part["type"] == "text")
            .map(|part| part["text"].clone())
            .collect(),
        _ => vec![],
    }
}

fn read_struct(body: &[u8]) -> Result<Value, String> {
    let request: Request = serde_json::from_slice(body).map_err(|error| error.to_string())?;
    let messages = request.messages.unwrap_or_default();
    let texts: Vec<Value> = messages
        .iter()
        .flat_map(|message| texts_of(message.content.as_ref().unwrap_or(&Value::Null)))
        .collect();
    Ok(json!({
        "model": request.model, "stream": request.stream, "max_tokens": request.max_tokens,
        "max_completion_tokens": request.max_completion_tokens, "max_output_tokens": request.max_output_tokens,
        "n": request.n, "best_of": request.best_of, "dimensions": request.dimensions,
        "include_usage": request.stream_options.and_then(|options| options.include_usage),
        "budget_tokens": request.thinking.and_then(|thinking| thinking.budget_tokens),
        "roles": messages.iter().map(|message| &message.role).collect::<Vec<_>>(), "texts": texts,
    }))
}

fn read_value(body: &[u8]) -> Result<Value, String> {
    let value: Value = serde_json::from_slice(body).map_err(|error| error.to_string())?;
    let messages = value["messages"].as_array().cloned().unwrap_or_default();
    let texts: Vec<Value> = messages.iter().flat_map(|message| texts_of(&message["content"])).collect();
    Ok(json!({
        "model": value["model"], "stream": value["stream"], "max_tokens": value["max_tokens"],
        "max_completion_tokens": value["max_completion_tokens"], "max_output_tokens": value["max_output_tokens"],
        "n": value["n"], "best_of": value["best_of"], "dimensions": value["dimensions"],
        "include_usage": value["stream_options"]["include_usage"],
        "budget_tokens": value["thinking"]["budget_tokens"],
        "roles": messages.iter().map(|message| message["role"].clone()).collect::<Vec<_>>(), "texts": texts,
    }))
}

fn bytes_of(hex: &str) -> Vec<u8> {
    (0..hex.len() / 2).map(|at| u8::from_str_radix(&hex[2 * at..2 * at + 2], 16).unwrap()).collect()
}

fn main() {
    let mut out = BufWriter::new(stdout());
    for line in stdin().lock().lines() {
        let body = bytes_of(&line.unwrap());
        let told = |read: Result<Value, String>| read.unwrap_or_else(|error| json!({ "error": error }));
        writeln!(out, "{}", json!({ "struct": told(read_struct(&body)), "value": told(read_value(&body)) })).unwrap();
    }
}
