import { Note } from '../../components/ui/note.tsx';
import { formatBalance } from '../../lib/format/money.ts';
import { formatDateTime } from '../../lib/format/time.ts';
import type { Billing } from '../../lib/trpc.ts';

interface AutoTopUpTroubleProps {
  trouble: NonNullable<Billing['autoTopUpTrouble']>;
  /** Whether this person can do something about it. */
  canEdit: boolean;
}

/** Why automatic top-ups fail, what happens next, and what helps. */
export function AutoTopUpTrouble({ trouble, canEdit }: AutoTopUpTroubleProps) {
  const { failures, at, amountNanoUsd, failure, nextAttemptAt } = trouble;
  const isOff = nextAttemptAt === null;
  return (
    <Note tone={isOff ? 'bad' : 'warn'} announcedAs="status">
      <b className="font-semibold">
        {isOff ? 'Automatic top-up was switched off.' : 'The automatic top-up did not go through.'}
      </b>{' '}
      {failures > 1 && `${failures} in a row failed. `}
      The last one, of {formatBalance(amountNanoUsd)} on {formatDateTime(new Date(at))}
      {failure === null ? ', was not paid.' : `: ${endSentence(failure)}`}{' '}
      {!isOff && `It is tried again after ${formatDateTime(new Date(nextAttemptAt))}. `}
      {canEdit
        ? `Top up by hand and save a card that pays${isOff ? ', then turn it on again' : ''}.`
        : 'An owner or admin of the account can top up and save another card.'}
    </Note>
  );
}

/** Providers end their reasons with a full stop or without. */
function endSentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
