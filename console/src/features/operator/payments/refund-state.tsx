import { Note } from '../../../components/ui/note.tsx';
import { formatBalance } from '../../../lib/format/money.ts';
import { formatDateTime } from '../../../lib/format/time.ts';
import type { OperatorPaymentDetail } from '../operator-types.ts';

type Request = OperatorPaymentDetail['refundRequests'][number];

/** Why a payment cannot be refunded, and refunds that were requested here and not made. */
export function RefundState({ payment }: { payment: OperatorPaymentDetail }) {
  const { refundRequests, refundable } = payment;
  const isWaiting = refundRequests.some(({ failure }) => failure === null);
  if (refundRequests.length === 0 && refundable.obstacle === null) return null;
  return (
    <div className="grid gap-2 border-t px-3.5 py-3 text-[13px] text-ink-2 max-md:px-2.5">
      {refundRequests.map((request) => (
        <RequestNote key={request.id} request={request} />
      ))}
      {refundable.obstacle !== null && !isWaiting && <p>No refund is possible: {refundable.obstacle}</p>}
    </div>
  );
}

function RequestNote({ request }: { request: Request }) {
  const { amountNanoUsd, createdAt, requestedByEmail, failure } = request;
  const by = requestedByEmail ?? 'a deleted user';
  const asked = `${formatBalance(amountNanoUsd)}, requested by ${by} on ${formatDateTime(new Date(createdAt))}`;
  if (failure === null)
    return (
      <Note tone="warn" announcedAs="status">
        <b className="font-semibold">Refund in progress.</b> {asked}. The payment provider has not answered
        yet. It is asked again automatically.
      </Note>
    );
  return (
    <Note tone="bad" announcedAs="status">
      <b className="font-semibold">Refund refused.</b> {asked}. {failure}
    </Note>
  );
}
