import { ExternalLink } from 'lucide-react';
import { TEXT_LINK, TOUCHED_LINK } from '../../components/ui/text-link.ts';
import { cn } from '../../lib/cn.ts';
import { receiptPath } from '../../lib/paths.ts';
import type { PaymentRow } from '../../lib/trpc.ts';

const DOCUMENT_LABELS = { receipt: 'Receipt ', credit_note: 'Credit note ' } as const;

/** Opens a receipt or credit note in a new tab. */
export function DocumentLink({ id, kind, number }: PaymentRow['corrections'][number]) {
  return (
    <a
      href={receiptPath(id)}
      target="_blank"
      rel="noopener"
      className={cn(
        TEXT_LINK,
        TOUCHED_LINK,
        'inline-flex items-center gap-1 text-[12.5px] whitespace-nowrap',
      )}
    >
      <span className={kind === 'receipt' ? 'sr-only' : undefined}>{DOCUMENT_LABELS[kind]}</span>
      {number}
      <ExternalLink aria-hidden className="size-3" />
    </a>
  );
}
