import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { toast } from '../../../lib/toast.ts';
import { paths } from '../../../lib/paths.ts';
import { Button } from '../../../components/ui/button.tsx';
import {
  Dialog,
  DialogBody,
  DialogClose,
  DialogContent,
  DialogFooter,
} from '../../../components/ui/dialog.tsx';
import { FormError } from '../../../components/ui/form-error.tsx';
import { TEXT_LINK } from '../../../components/ui/text-link.ts';
import { describeError } from '../../../lib/api-error.ts';
import { queryClient } from '../../../lib/query-client.ts';
import { trpc } from '../../../lib/trpc.ts';
import type { OperatorPaymentEvent } from '../operator-types.ts';
import { OUTCOMES } from './outcomes.ts';

interface EventDialogProps {
  event: OperatorPaymentEvent;
  onClose: () => void;
  onCloseAutoFocus: (event: Event) => void;
}

/** Stored content of a webhook event, with a replay button. */
export function EventDialog({ event, onClose, onCloseAutoFocus }: EventDialogProps) {
  const replay = useMutation(
    trpc.operator.payments.replay.mutationOptions({
      onSuccess: async (after) => {
        await queryClient.invalidateQueries(trpc.operator.payments.pathFilter());
        onClose();
        toast.success(`Replayed: ${OUTCOMES[after.outcome].label}`, {
          description: after.reason ?? 'Earlier changes were not applied twice.',
        });
      },
    }),
  );
  return (
    <Dialog open onOpenChange={(isOpen) => !isOpen && !replay.isPending && onClose()}>
      <DialogContent title={event.type} description={event.id} onCloseAutoFocus={onCloseAutoFocus}>
        <DialogBody>
          {event.facts === null ? (
            <p className="text-ink-2">
              This event does not belong to a payment here. Its content was not stored.
            </p>
          ) : (
            <section aria-label="Event content">
              <pre
                // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls
                tabIndex={0}
                className="max-h-[45dvh] overflow-auto rounded-lg bg-sunken p-3 font-mono text-[12.5px]/5"
              >
                {event.facts}
              </pre>
            </section>
          )}
          {event.paymentId !== null && (
            <p className="text-[13px]">
              <Link
                to={paths.operatorPayment}
                params={{ paymentId: event.paymentId }}
                className={TEXT_LINK}
                onClick={onClose}
              >
                View payment
              </Link>
            </p>
          )}
          <FormError message={replay.isError ? describeError(replay.error) : undefined} />
        </DialogBody>
        <DialogFooter>
          <DialogClose asChild>
            <Button>Close</Button>
          </DialogClose>
          {event.canReplay && (
            <Button
              variant="primary"
              isPending={replay.isPending}
              onClick={() => replay.mutate({ eventId: event.id })}
            >
              Replay event
            </Button>
          )}
        </DialogFooter>
      </DialogContent>
    </Dialog>
  );
}
