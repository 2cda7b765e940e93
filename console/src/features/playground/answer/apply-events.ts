import type { AnswerTurn, ToolCall } from '../conversation.ts';
import type { AnswerEvent } from './answer-event.ts';

/** Applies events to a response. @param elapsedMs since the request was sent */
export function applyEvents(turn: AnswerTurn, events: readonly AnswerEvent[], elapsedMs: number): AnswerTurn {
  return events.reduce((current, event) => applyEvent(current, event, elapsedMs), turn);
}

function applyEvent(turn: AnswerTurn, event: AnswerEvent, elapsedMs: number): AnswerTurn {
  const firstTokenMs = turn.firstTokenMs ?? elapsedMs;
  switch (event.kind) {
    case 'text':
      return { ...turn, firstTokenMs, text: turn.text + event.text };
    case 'reasoning':
      return { ...turn, firstTokenMs, reasoning: turn.reasoning + event.text };
    case 'tool_call':
      return { ...turn, firstTokenMs, toolCalls: [...turn.toolCalls, toCall(event)] };
    case 'tool_arguments':
      return { ...turn, firstTokenMs, toolCalls: addArguments(turn.toolCalls, event) };
    case 'usage':
      return { ...turn, usage: event.usage };
    case 'finish':
      return { ...turn, finishReason: event.reason };
    case 'error':
    case 'end':
      return turn;
  }
}

function toCall({ index, id, name }: { index: number; id: string; name: string }): ToolCall {
  return { index, id, name, arguments: '' };
}

function addArguments(calls: ToolCall[], event: { index: number; text: string }): ToolCall[] {
  return calls.map((call) =>
    call.index === event.index ? { ...call, arguments: call.arguments + event.text } : call,
  );
}
