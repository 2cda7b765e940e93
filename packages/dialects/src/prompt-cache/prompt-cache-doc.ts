/** The section of `docs/dialects.md` about prompt caches. */
export const PROMPT_CACHE = `## Prompt caching

Providers read a prefix that they have seen before from their prompt cache, at a fraction of the price of input. The gateway keeps this for translated requests. The same conversation always becomes the same bytes, whatever follows it.

**Claude, called with OpenAI's dialects.** Anthropic caches only prefixes that end with a breakpoint (\`cache_control\`), which OpenAI's dialects do not have. The gateway places breakpoints after the tools, after the system prompt, at the end of the request and where the request before it ended: four at most, with the default lifetime of five minutes. A cache write costs more than plain input (25 % more at Anthropic), so it places them only if a later request will probably read what was written:

- The conversation has a response of the model, or the request has a \`prompt_cache_key\`, or a coding agent sent it (known by its user agent), or it offers tools whose calls the model may choose and its tools and system prompt are long enough: all breakpoints.
- Otherwise, the tools and the system prompt together are long enough: only the breakpoints after these.
- Otherwise none, as for a single question.

Long enough means the shortest prefix that the model's provider caches (see _Rules of models_ below); no breakpoint is placed at a shorter prefix. If the request already has breakpoints (\`cache_control\` or \`prompt_cache_breakpoint\`), or sets \`prompt_cache_options\`, the gateway adds none. Anthropic takes four breakpoints, so the last four of the request are sent, and a lifetime of one hour after a shorter one becomes the default. This applies only to Claude models, at all providers that speak Anthropic messages, also Bedrock and Vertex. Chat completions for Claude at OpenRouter get the same breakpoints in the caller's own body, except after the tools, which the breakpoint of the system prompt includes; the user agent does not matter there. The hold of the request covers the cache write; the bill has the counts that the provider reports.

**OpenAI's dialects, called by Claude Code.** OpenAI caches without breakpoints, and finds a prefix faster with \`prompt_cache_key\`. The gateway sends a hash of the account and the session of Claude Code (the header \`x-claude-code-session-id\`, or the session in \`metadata.user_id\`). Custom servers get it only for OpenAI's models, because they may refuse the member.

**Claude Code's billing header.** Claude Code begins its system prompt with a block \`x-anthropic-billing-header: …\`, which differs in each request in most versions. Anthropic's own API takes it out; at any other provider, nothing after it could be cached. The gateway does not send it to other providers, in passthrough and in translation, and \`x-tollgate-dropped-params\` lists it.
`;
