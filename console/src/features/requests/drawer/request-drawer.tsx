import { ChevronDown, ChevronUp } from 'lucide-react';
import { Button } from '../../../components/ui/button.tsx';
import { Chip } from '../../../components/ui/chip.tsx';
import { CopyButton } from '../../../components/ui/copy-button.tsx';
import { Drawer } from '../../../components/ui/drawer.tsx';
import { ErrorState } from '../../../components/ui/error-state.tsx';
import { Skeleton } from '../../../components/ui/skeleton.tsx';
import type { RequestDetail } from '../../../lib/trpc.ts';
import { describeStatus } from '../describe-status.ts';
import { useRequest } from '../use-requests.ts';
import { Attempts } from './attempts.tsx';
import { Bodies } from './bodies.tsx';
import { CostTable } from './cost-table.tsx';
import { ReportedUsage } from './reported-usage.tsx';
import { RequestFacts } from './request-facts.tsx';
import { renderSupportText } from './support-text.ts';
import { TimeChart } from './time-chart.tsx';

interface RequestDrawerProps {
  accountId: string;
  requestId: string;
  /** The list that the request was opened from, in its order. */
  rows: readonly { id: string }[];
  onShow: (requestId: string) => void;
  onClose: () => void;
  onCloseAutoFocus: (event: Event) => void;
}

/** Details of one request. The URL can be shared. */
export function RequestDrawer(props: RequestDrawerProps) {
  const { accountId, requestId, rows, onShow, onClose, onCloseAutoFocus } = props;
  const query = useRequest({ accountId, requestId });
  const request = query.data;
  return (
    <Drawer
      title={request === undefined ? 'Request' : <Title request={request} />}
      actions={<Steps rows={rows} requestId={requestId} onShow={onShow} />}
      onClose={onClose}
      onCloseAutoFocus={onCloseAutoFocus}
      data-request-drawer=""
    >
      {query.isPending && <DrawerSkeleton />}
      {query.isError && request === undefined && (
        <ErrorState
          title="The request could not be loaded"
          error={query.error}
          isRetrying={query.isFetching}
          onRetry={() => void query.refetch()}
        />
      )}
      {request !== undefined && (
        <div className="grid gap-6 px-[22px] pt-4 pb-8">
          <RequestFacts request={request} />
          <CopyButton
            size="sm"
            className="-mt-2 justify-self-start"
            text={renderSupportText(request, accountId)}
            label="Copy for support"
          />
          <TimeChart request={request} />
          <Attempts request={request} />
          <CostTable request={request} />
          <ReportedUsage rawUsage={request.rawUsage} />
          <Bodies key={request.id} accountId={accountId} request={request} />
        </div>
      )}
    </Drawer>
  );
}

/** Opens the request above or below in the list. */
function Steps({ rows, requestId, onShow }: Pick<RequestDrawerProps, 'rows' | 'requestId' | 'onShow'>) {
  const at = rows.findIndex(({ id }) => id === requestId);
  if (at === -1) return null;
  const steps = [
    { label: 'Request above', Icon: ChevronUp, id: rows[at - 1]?.id },
    { label: 'Request below', Icon: ChevronDown, id: rows[at + 1]?.id },
  ];
  return (
    <div className="flex">
      {steps.map(({ label, Icon, id }) => (
        <Button
          key={label}
          variant="ghost"
          size="icon"
          aria-label={label}
          title={label}
          // Not `disabled`: the button keeps the focus at the end of the list.
          aria-disabled={id === undefined}
          onClick={() => {
            if (id !== undefined) onShow(id);
          }}
        >
          <Icon aria-hidden className="size-4" />
        </Button>
      ))}
    </div>
  );
}

function Title({ request }: { request: RequestDetail }) {
  const { label, note, tone } = describeStatus(request);
  return (
    <span className="flex min-w-0 items-center gap-2.5">
      <Chip tone={tone}>
        {label}
        {note !== null && ` ${note}`}
      </Chip>
      <span className="truncate">POST {request.endpoint}</span>
    </span>
  );
}

function DrawerSkeleton() {
  return (
    <div className="grid gap-3.5 px-[22px] pt-5">
      <output className="sr-only">Loading request</output>
      {Array.from({ length: 5 }, (_, index) => (
        <div key={index} className="flex gap-6">
          <Skeleton className="h-3.5 w-24" />
          <Skeleton className="h-3.5 w-56" />
        </div>
      ))}
      <Skeleton className="mt-4 h-24 w-full" />
      <Skeleton className="mt-2 h-32 w-full" />
    </div>
  );
}
