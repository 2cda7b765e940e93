import type { ReactNode } from 'react';
import { Chip } from '../../components/ui/chip.tsx';
import { CopyButton } from '../../components/ui/copy-button.tsx';
import { Dialog, DialogBody, DialogContent } from '../../components/ui/dialog.tsx';
import { formatCount, formatPlural } from '../../lib/format/count.ts';
import { formatCap, formatCost } from '../../lib/format/money.ts';
import { formatExactDateTime } from '../../lib/format/time.ts';
import type { KeyRow } from '../../lib/trpc.ts';
import { returnFocusTo } from './focus-return.ts';

/** All that is known of a key, in full: what the table shortens or folds away on a phone. */
export function KeyDetailsDialog({ row, onClose }: { row: KeyRow; onClose: () => void }) {
  return (
    <Dialog open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <DialogContent
        title={<span className="break-words">{row.name}</span>}
        className="max-w-[520px]"
        onCloseAutoFocus={returnFocusTo(row.id)}
      >
        <DialogBody>
          <dl className="grid grid-cols-[120px_minmax(0,1fr)] gap-y-2.5 text-[13px]">
            <Detail name="Key">
              <span className="font-mono text-[12.5px]">
                {row.prefix}…{row.last4}
              </span>
            </Detail>
            <Detail name="Id">
              <span className="flex items-center gap-1">
                <span className="font-mono text-[12.5px] break-all">{row.id}</span>
                <CopyButton text={row.id} label="Copy id" isIconOnly variant="ghost" size="icon" />
              </span>
            </Detail>
            <Detail name="Allowed models">
              {row.allowedModels === null ? (
                'All models, now and later'
              ) : (
                <ul className="flex max-h-40 flex-wrap gap-1 overflow-y-auto">
                  {row.allowedModels.map((model) => (
                    <li key={model} className="max-w-full">
                      <Chip className="h-auto min-h-5 break-all whitespace-normal">{model}</Chip>
                    </li>
                  ))}
                </ul>
              )}
            </Detail>
            <Detail name="Budget">
              {formatCost(row.spentNanoUsd)} spent
              {row.maxBudgetNanoUsd === null ? ', no cap' : ` of ${formatCap(row.maxBudgetNanoUsd)}`}
            </Detail>
            <Detail name="Requests / min">{row.rpm === null ? 'No limit' : formatCount(row.rpm)}</Detail>
            <Detail name="Tokens / min">{row.tpm === null ? 'No limit' : formatCount(row.tpm)}</Detail>
            <Detail name="Last 7 days">
              {formatCost(row.last7Days.costNanoUsd)} · {formatPlural(row.last7Days.requests, 'request')}
            </Detail>
            <Detail name="Last used">{formatMoment(row.lastUsedAt, 'Never')}</Detail>
            <Detail name="Created">{formatMoment(row.createdAt, '')}</Detail>
            <Detail name="Expires">{formatMoment(row.expiresAt, 'Never')}</Detail>
            {row.revokedAt !== null && <Detail name="Revoked">{formatMoment(row.revokedAt, '')}</Detail>}
          </dl>
        </DialogBody>
      </DialogContent>
    </Dialog>
  );
}

function Detail({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-ink-3">{name}</dt>
      <dd className="min-w-0">{children}</dd>
    </>
  );
}

function formatMoment(iso: string | null, never: string): string {
  return iso === null ? never : formatExactDateTime(new Date(iso));
}
