import { describeDecision } from '@tollgate/core/requests/describe-decision';
import { Chip } from '../../../components/ui/chip.tsx';
import { CopyButton } from '../../../components/ui/copy-button.tsx';
import { describeOutcome } from '@tollgate/core/requests/describe-outcome';
import type { RequestDetail } from '../../../lib/trpc.ts';
import { formatDuration } from '../../../lib/format/duration.ts';
import { describeRouteChoice } from './describe-route-choice.ts';
import { Section } from './section.tsx';

type Attempt = RequestDetail['attempts'][number];

const GOOD: ReadonlySet<string> = new Set(['answered', 'continued']);

/** Why an attempt failed, and what the gateway did then. */
function Reason({ attempt }: { attempt: Attempt }) {
  const { errorType, errorMessage, message, detail } = attempt;
  const decision = describeDecision(attempt);
  return (
    <>
      {errorType !== null && <code className="ml-2 font-mono text-[12.5px] break-all">{errorType}</code>}
      {errorMessage !== null && <p className="mt-1 wrap-anywhere">{errorMessage}</p>}
      {message !== null && <p className="mt-1 wrap-anywhere text-ink-2">The provider says: {message}</p>}
      {detail !== null && <p className="mt-1 wrap-anywhere text-ink-2">Detail: {detail}</p>}
      {decision !== null && <p className="mt-1 text-ink-2">{decision}</p>}
    </>
  );
}

/** Every upstream attempt, in order. Only operators see the provider. */
export function Attempts({ request }: { request: RequestDetail }) {
  const { attempts } = request;
  const isPlain =
    attempts.length === 1 &&
    attempts[0]?.outcome === 'answered' &&
    attempts[0].route === null &&
    attempts[0].requestId === null;
  if (attempts.length === 0 || isPlain) return null;
  return (
    <Section title={attempts.length === 1 ? 'Attempt' : 'Attempts'}>
      <ol className="divide-y rounded-lg border text-[13px]">
        {attempts.map((attempt, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- tries have no name but their place, which never changes
          <li key={index} className="flex items-start gap-2.5 px-3 py-2">
            <span className="text-ink-3">{index + 1}</span>
            <div className="min-w-0 flex-1">
              <Chip tone={GOOD.has(attempt.outcome) ? 'ok' : 'bad'}>{describeOutcome(attempt.outcome)}</Chip>
              <Reason attempt={attempt} />
              {attempt.waitMs > 0 && (
                <div className="mt-1 text-ink-3">
                  Started after a wait of {formatDuration(attempt.waitMs)}
                </div>
              )}
              {request.requestedModel !== null && attempt.model !== null && (
                <div className="mt-1 break-all text-ink-2">{attempt.model}</div>
              )}
              {attempt.requestId !== null && (
                <div className="mt-1 flex items-center gap-1 text-ink-3">
                  <span className="min-w-0 break-all">
                    Provider request <code className="font-mono text-[12.5px]">{attempt.requestId}</code>
                  </span>
                  <CopyButton
                    text={attempt.requestId}
                    label="Copy provider request ID"
                    isIconOnly
                    variant="ghost"
                    size="icon"
                    className="-my-1.5 shrink-0"
                  />
                </div>
              )}
              {attempt.route !== null && (
                <div className="mt-1 break-all text-ink-2">
                  {attempt.route.provider}: {attempt.route.upstreamModel}
                  <div className="font-mono text-[12.5px] text-ink-3">{attempt.route.id}</div>
                  {attempt.credential !== null && <div>Credential {attempt.credential}</div>}
                </div>
              )}
            </div>
            <span className="font-mono text-[12.5px]">{formatDuration(attempt.durationMs)}</span>
          </li>
        ))}
      </ol>
      {request.routeChoice !== null && (
        <p className="mt-2 text-[13px] text-ink-2">{describeRouteChoice(request.routeChoice)}</p>
      )}
    </Section>
  );
}
