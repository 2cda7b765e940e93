import { receiptPath } from '../../lib/paths.ts';
import { TEXT_LINK } from '../../components/ui/text-link.ts';
import { cn } from '../../lib/cn.ts';
import { formatBalance } from '../../lib/format/money.ts';
import type { EntryRow } from '../../lib/trpc.ts';
import { formatChange, subtractAmount } from './amount.ts';
import { CELL, HEAD, TOUCHED_LINK } from '../../components/ui/cells.ts';
import { ENTRY_KINDS } from './entry-kinds.ts';
import { formatHour } from '../../lib/format/moment.ts';
import { Moment } from '../../components/ui/moment.tsx';

interface EntriesTableProps {
  entries: EntryRow[];
  /** Difference between the newest entry's balance and the current balance. */
  unpostedNanoUsd: string;
  availableNanoUsd: string;
}

/** Ledger entries, newest first, each with the resulting balance. */
export function EntriesTable({ entries, unpostedNanoUsd, availableNanoUsd }: EntriesTableProps) {
  return (
    <table className="w-full">
      <caption className="sr-only">Balance activity, newest first</caption>
      <EntriesTableHead />
      <tbody className="divide-y">
        {BigInt(unpostedNanoUsd) !== 0n && (
          <tr className="text-ink-2">
            <td className={cn(CELL, 'hidden @xl:table-cell')}>Now</td>
            <th scope="row" className={cn(CELL, 'w-full text-left font-normal')}>
              Pending usage
              <div className="text-[12.5px] text-ink-3">Posted every hour, one entry per key</div>
            </th>
            <Amounts change={subtractAmount('0', unpostedNanoUsd)} balance={availableNanoUsd} />
          </tr>
        )}
        {entries.map((entry) => (
          <tr key={entry.id}>
            <td className={cn(CELL, 'hidden text-[12.5px] text-ink-2 @xl:table-cell')}>
              <Moment iso={entry.at} />
            </td>
            <th scope="row" className={cn(CELL, 'w-full max-w-0 min-w-28 text-left font-normal')}>
              <div className="truncate">{ENTRY_KINDS[entry.kind]}</div>
              <EntryDetail entry={entry} />
              <div className="text-[12.5px] text-ink-3 @xl:hidden">
                <Moment iso={entry.at} />
              </div>
            </th>
            <Amounts change={entry.changeNanoUsd} balance={entry.balanceAfterNanoUsd} />
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function EntriesTableHead() {
  return (
    <thead>
      <tr className="border-b">
        <th scope="col" className={cn(HEAD, 'hidden @xl:table-cell')}>
          Time
        </th>
        <th scope="col" className={HEAD}>
          Movement
        </th>
        <th scope="col" className={cn(HEAD, 'text-right')}>
          Amount<span className="@xl:hidden"> and balance</span>
        </th>
        <th scope="col" className={cn(HEAD, 'hidden text-right @xl:table-cell')}>
          Balance
        </th>
      </tr>
    </thead>
  );
}

/** In a narrow card the balance is below the amount. */
function Amounts({ change, balance }: { change: string; balance: string }) {
  const money = 'text-right font-mono text-[12.5px] whitespace-nowrap';
  return (
    <>
      <td className={cn(CELL, money)}>
        <span className={cn(BigInt(change) > 0n && 'text-accent')}>{formatChange(change)}</span>
        <div className="text-ink-3 @xl:hidden">
          <span className="sr-only">balance </span>
          {formatBalance(balance)}
        </div>
      </td>
      <td className={cn(CELL, money, 'hidden @xl:table-cell')}>{formatBalance(balance)}</td>
    </>
  );
}

function EntryDetail({ entry }: { entry: EntryRow }) {
  const { keyId, keyName, usageHour, reason, paymentId } = entry;
  const line = 'text-[12.5px] break-words text-ink-2 @xl:truncate';
  if (keyId !== null) {
    return (
      <div className={line} title={keyName ?? keyId}>
        {keyName ?? keyId}
        {usageHour !== null && `, ${formatHour(new Date(usageHour))}`}
      </div>
    );
  }
  if (paymentId !== null) {
    return (
      <div className="text-[12.5px]">
        <a
          href={receiptPath(paymentId)}
          target="_blank"
          rel="noopener"
          className={cn(TEXT_LINK, TOUCHED_LINK)}
        >
          Payment receipt
        </a>
      </div>
    );
  }
  return reason === null ? null : (
    <div className={line} title={reason}>
      {reason}
    </div>
  );
}
