import { Note } from '../../components/ui/note.tsx';
import { formatBalance } from '../../lib/format/money.ts';
import { formatDateTime } from '../../lib/format/time.ts';
import type { Billing } from '../../lib/trpc.ts';

interface AutoTopUpTroubleProps {
  trouble: NonNullable<Billing['autoTopUpTrouble']>;
  /** Whether this person can top up. */
  canEdit: boolean;
}

/** Why automatic top-ups fail, and what to do. */
export function AutoTopUpTrouble({ trouble, canEdit }: AutoTopUpTroubleProps) {
  const { failures, at, amountNanoUsd, failure, nextAttemptAt } = trouble;
  const isOff = nextAttemptAt === null;
  return (
    <Note tone={isOff ? 'bad' : 'warn'} announcedAs="status">
      <b className="font-semibold">
        {isOff ? 'Automatic top-up was turned off.' : 'The automatic top-up failed.'}
      </b>{' '}
      {failures > 1 && `${failures} attempts failed in a row. `}
      Last attempt: {formatBalance(amountNanoUsd)} on {formatDateTime(new Date(at))}
      {failure === null ? '.' : `: ${endSentence(failure)}`}{' '}
      {!isOff && `Next attempt after ${formatDateTime(new Date(nextAttemptAt))}. `}
      {canEdit
        ? `Top up manually and save a working card${isOff ? ', then turn it on again' : ''}.`
        : 'Ask an owner or admin to top up and save another card.'}
    </Note>
  );
}

/** Adds a full stop if the provider's reason has none. */
function endSentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
