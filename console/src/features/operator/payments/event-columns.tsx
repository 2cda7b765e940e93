import { Button } from '../../../components/ui/button.tsx';
import { Chip } from '../../../components/ui/chip.tsx';
import { Moment } from '../../../components/ui/moment.tsx';
import type { OperatorPaymentEvent } from '../operator-types.ts';
import type { Column } from '../../../components/table/column.ts';
import { OUTCOMES } from './outcomes.ts';

/** Columns of webhook events. @param onShow opens an event */
export function eventColumns(onShow: (event: OperatorPaymentEvent) => void): Column<OperatorPaymentEvent>[] {
  return [
    {
      head: 'Event',
      kind: 'main',
      cell: ({ type, id }) => (
        <>
          <div className="truncate font-medium" title={type}>
            {type}
          </div>
          <div className="truncate font-mono text-[12.5px] text-ink-3" title={id}>
            {id}
          </div>
        </>
      ),
    },
    {
      head: 'Outcome',
      cell: ({ outcome, reason }) => (
        <>
          <Chip tone={OUTCOMES[outcome].tone}>{OUTCOMES[outcome].label}</Chip>
          {reason !== null && <div className="mt-1 font-mono text-[12.5px] text-ink-2">{reason}</div>}
        </>
      ),
    },
    {
      head: 'Received',
      from: 'xl',
      kind: 'time',
      cell: ({ receivedAt }) => <Moment iso={receivedAt} />,
      folded: ({ receivedAt }) => <Moment iso={receivedAt} />,
    },
    {
      head: 'Actions',
      isHeadHidden: true,
      kind: 'actions',
      cell: (event) => (
        <Button size="sm" aria-label={`Show ${event.id}`} onClick={() => onShow(event)}>
          Show
        </Button>
      ),
    },
  ];
}
