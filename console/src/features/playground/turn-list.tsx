import { MessageSquare } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { EmptyState } from '../../components/ui/empty-state.tsx';
import type { Catalogue } from '../../lib/trpc.ts';
import { AnswerView } from './answer-view.tsx';
import type { Distinction } from './compare-answers.ts';
import type { Turn, UserTurn } from './conversation.ts';

/** So near to the end, the end is what someone reads. */
const NEAR_END_PX = 80;

interface TurnListProps {
  label: string;
  turns: readonly Turn[];
  catalogue: Catalogue;
  /** Of the last response, among those of the compared models. */
  distinctions?: readonly Distinction[];
  onAgain: () => void;
}

export function TurnList(props: TurnListProps) {
  if (props.turns.length > 0) return <Turns {...props} />;
  return (
    <div className="grid flex-1 place-items-center">
      <EmptyState icon={MessageSquare} title="Send a message to start">
        Responses stream here with latency, tokens and cost.
      </EmptyState>
    </div>
  );
}

function Turns({ label, turns, catalogue, distinctions = [], onAgain }: TurnListProps) {
  const { frame, list } = useFollowedEnd();
  return (
    <section
      ref={frame}
      aria-label={label}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a region that scrolls takes the focus
      tabIndex={0}
      className="min-h-0 flex-1 overflow-y-auto rounded-t-xl px-5 py-4 focus-visible:-outline-offset-2 max-sm:px-4"
    >
      <ol ref={list} className="grid grid-cols-[minmax(0,1fr)] gap-5">
        {turns.map((turn, index) =>
          turn.kind === 'user' ? (
            <li key={turn.id} ref={showOnce}>
              <UserView turn={turn} />
            </li>
          ) : (
            <li key={turn.id}>
              <AnswerView
                turn={turn}
                catalogue={catalogue}
                distinctions={index === turns.length - 1 ? distinctions : []}
                onAgain={index === turns.length - 1 ? onAgain : null}
              />
            </li>
          ),
        )}
      </ol>
    </section>
  );
}

function UserView({ turn }: { turn: UserTurn }) {
  return (
    <div className="ml-auto grid w-fit max-w-[85%] gap-2 rounded-xl bg-sunken px-3.5 py-2.5">
      <h2 className="sr-only">You</h2>
      {turn.toolResults.map((result) => (
        <div key={result.callId}>
          <div className="text-xs text-ink-3">Result of {result.callId}</div>
          <pre className="overflow-x-auto font-mono text-[12.5px]/[19px] whitespace-pre-wrap">
            {result.text}
          </pre>
        </div>
      ))}
      {turn.image !== null && (
        <img
          src={`data:${turn.image.mediaType};base64,${turn.image.base64}`}
          alt={turn.image.name}
          className="max-h-48 max-w-full rounded-lg border"
        />
      )}
      {turn.text !== '' && <p className="break-words whitespace-pre-wrap">{turn.text}</p>}
    </div>
  );
}

/** Scrolls the newest user message into view: only its conversation, not the compared ones sideways. */
function showOnce(element: HTMLElement | null): void {
  const frame = element?.closest('section');
  if (frame !== null && frame !== undefined) frame.scrollTop = frame.scrollHeight;
}

/** Scrolls along with what is written, unless someone has scrolled back to read. */
function useFollowedEnd() {
  const frame = useRef<HTMLElement>(null);
  const list = useRef<HTMLOListElement>(null);
  useEffect(() => {
    const [outer, inner] = [frame.current, list.current];
    if (outer === null || inner === null) return undefined;
    let isAtEnd = true;
    const onScroll = () => {
      isAtEnd = outer.scrollHeight - outer.scrollTop - outer.clientHeight < NEAR_END_PX;
    };
    const observer = new ResizeObserver(() => {
      if (isAtEnd) outer.scrollTop = outer.scrollHeight;
    });
    outer.addEventListener('scroll', onScroll, { passive: true });
    observer.observe(inner);
    return () => {
      outer.removeEventListener('scroll', onScroll);
      observer.disconnect();
    };
  }, []);
  return { frame, list };
}
