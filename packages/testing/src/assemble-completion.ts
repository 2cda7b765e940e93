import type { AssistantPart } from '@tollgate/core/completion/content';
import type { BlockStart, CompletionEvent } from '@tollgate/core/completion/events';
import type { CompletionChoice, CompletionResponse, TokenLogprob } from '@tollgate/core/completion/response';

interface Assembly {
  parts: Map<number, AssistantPart>;
  open: Set<number>;
  finish: CompletionChoice['finish'] | null;
  logprobs: TokenLogprob[];
}

type BlockEvent = Extract<CompletionEvent, { block: number }>;

/**
 * Assembles a stream and checks the order of canonical events.
 * @throws Error if a delta has no open block, a block is open at the finish, anything follows the end, or the stream
 * failed or did not end
 */
export function assembleCompletion(events: readonly CompletionEvent[]): CompletionResponse {
  const whole: CompletionResponse = {
    id: '',
    model: '',
    createdAt: null,
    choices: [],
    usage: null,
    serviceTier: null,
  };
  const choices = new Map<number, Assembly>();
  const getChoice = (number: number): Assembly => {
    const found = choices.get(number) ?? { parts: new Map(), open: new Set(), finish: null, logprobs: [] };
    choices.set(number, found);
    return found;
  };
  let hasEnded = false;
  for (const event of events) {
    if (hasEnded) throw new Error(`${event.type} came after the end`);
    switch (event.type) {
      case 'start':
        Object.assign(whole, { id: event.id, model: event.model, createdAt: event.createdAt });
        whole.usage = event.usage ?? whole.usage;
        break;
      case 'usage':
        whole.usage = event.usage;
        break;
      case 'finish':
        finish(getChoice(event.choice), event.reason);
        break;
      case 'error':
        throw new Error(`The stream failed: ${event.kind}: ${event.message}`);
      case 'end':
        hasEnded = true;
        break;
      case 'logprobs':
        getChoice(event.choice).logprobs.push(...event.tokens);
        break;
      case 'ping':
        break;
      default:
        apply(getChoice(event.choice), event);
    }
  }
  if (!hasEnded) throw new Error('The stream did not end');
  whole.choices = [...choices.entries()].toSorted(([a], [b]) => a - b).map(([, choice]) => close(choice));
  return whole;
}

function finish(choice: Assembly, reason: CompletionChoice['finish']): void {
  if (choice.open.size > 0) throw new Error('A block was open at the finish');
  choice.finish = reason;
}

function close(choice: Assembly): CompletionChoice {
  if (choice.finish === null) throw new Error('A choice did not finish');
  const content = [...choice.parts.entries()].toSorted(([a], [b]) => a - b).map(([, part]) => part);
  const { finish: reason, logprobs } = choice;
  return { content, finish: reason, ...(logprobs.length === 0 ? {} : { logprobs }) };
}

function apply(choice: Assembly, event: BlockEvent): void {
  const { parts, open } = choice;
  if (event.type === 'block_start') {
    if (event.block !== parts.size) throw new Error(`Block ${event.block} opened as number ${parts.size}`);
    parts.set(event.block, getPart(event.start));
    open.add(event.block);
    return;
  }
  const part = parts.get(event.block);
  if (part === undefined || !open.has(event.block))
    throw new Error(`${event.type} for a block that is not open`);
  if (event.type === 'block_end') open.delete(event.block);
  else add(part, event);
}

function add(part: AssistantPart, event: Exclude<BlockEvent, { type: 'block_start' | 'block_end' }>): void {
  if (event.type === 'text_delta' && (part.type === 'text' || part.type === 'refusal'))
    part.text += event.text;
  else if (event.type === 'citation' && part.type === 'text') part.citations.push(event.citation);
  else if (event.type === 'thinking_delta' && part.type === 'thinking') part.text += event.text;
  else if (event.type === 'signature' && part.type === 'thinking') part.signature = event.signature;
  else if (event.type === 'arguments_delta' && part.type === 'tool_call') part.arguments += event.json;
  else throw new Error(`${event.type} for a block of ${part.type}`);
}

function getPart(start: BlockStart): AssistantPart {
  switch (start.type) {
    case 'text':
      return { type: 'text', text: '', citations: [], cache: null };
    case 'thinking':
      return { type: 'thinking', text: '', signature: null };
    case 'refusal':
      return { type: 'refusal', text: '' };
    case 'redacted_thinking':
      return { ...start };
    case 'tool_call':
      return { ...start, arguments: '', cache: null };
    case 'opaque':
      return start.part;
  }
}
