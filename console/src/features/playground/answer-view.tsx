import { RotateCcw } from 'lucide-react';
import { Button } from '../../components/ui/button.tsx';
import { Chip } from '../../components/ui/chip.tsx';
import { Spinner } from '../../components/ui/spinner.tsx';
import type { Catalogue } from '../../lib/trpc.ts';
import { AnswerStats } from './answer-stats.tsx';
import { AnswerText } from './answer-text.tsx';
import type { Distinction } from './compare-answers.ts';
import type { AnswerTurn, Failure, ToolCall } from './conversation.ts';

interface AnswerViewProps {
  turn: AnswerTurn;
  catalogue: Catalogue;
  distinctions: readonly Distinction[];
  /** null: a later message exists. */
  onAgain: (() => void) | null;
}

export function AnswerView({ turn, catalogue, distinctions, onAgain }: AnswerViewProps) {
  const isEmpty = turn.text === '' && turn.reasoning === '' && turn.toolCalls.length === 0;
  const isIncomplete = turn.state === 'failed' || turn.state === 'stopped';
  return (
    <article aria-busy={turn.state === 'streaming'} className="grid grid-cols-[minmax(0,1fr)] gap-2">
      <div className="flex flex-wrap items-center gap-2">
        <h2 className="font-mono text-[12.5px] text-ink-2">{turn.model}</h2>
        <Chip>{turn.dialect === 'openai' ? 'OpenAI Chat' : 'Anthropic Messages'}</Chip>
        {turn.state === 'stopped' && <Chip tone="warn">Stopped</Chip>}
      </div>
      {turn.reasoning !== '' && (
        <details className="rounded-lg border px-3 py-2 text-[13px] text-ink-2">
          <summary className="cursor-pointer">Reasoning</summary>
          <p className="mt-1.5 break-words whitespace-pre-wrap">{turn.reasoning}</p>
        </details>
      )}
      {turn.text !== '' && <AnswerText id={turn.id} text={turn.text} />}
      {turn.toolCalls.map((call) => (
        <CallView key={call.id} call={call} />
      ))}
      {turn.state === 'streaming' && isEmpty && (
        <span className="flex items-center gap-2 text-ink-3">
          <Spinner /> Waiting for the first token…
        </span>
      )}
      {turn.failure !== null && <FailureView failure={turn.failure} />}
      {onAgain !== null && isIncomplete && (
        <Button size="sm" className="justify-self-start" onClick={onAgain}>
          <RotateCcw aria-hidden className="size-3.5" />
          Try again
        </Button>
      )}
      <AnswerStats turn={turn} catalogue={catalogue} distinctions={distinctions} />
      <output className="sr-only">{turn.state === 'done' ? 'Response complete' : ''}</output>
    </article>
  );
}

function CallView({ call }: { call: ToolCall }) {
  return (
    <section aria-label={`Tool call: ${call.name}`} className="rounded-lg border bg-sunken px-3 py-2">
      <div className="text-xs text-ink-3">
        {' '}
        Tool call: <span className="font-mono text-ink">{call.name}</span>
      </div>
      <pre className="mt-1 font-mono text-[12.5px]/[19px] break-words whitespace-pre-wrap">
        {formatArguments(call.arguments)}
      </pre>
    </section>
  );
}

/** Pretty-prints complete JSON; partial JSON stays as is. */
function formatArguments(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

function FailureView({ failure }: { failure: Failure }) {
  return (
    <div role="alert" className="grid gap-1.5 rounded-lg bg-danger-soft px-3 py-2.5 text-[13px] text-danger">
      <p className="break-words">
        {failure.status !== null && <strong className="font-semibold">{failure.status} </strong>}
        {failure.message}
      </p>
      {failure.body !== '' && (
        <details>
          <summary className="cursor-pointer">Full response</summary>
          <pre className="mt-1.5 font-mono text-[12.5px]/[19px] break-words whitespace-pre-wrap">
            {failure.body}
          </pre>
        </details>
      )}
    </div>
  );
}
