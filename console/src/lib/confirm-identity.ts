import type { TRPCLink } from '@trpc/client';
// oxlint-disable-next-line no-restricted-imports -- what every link of the client is made of; it has no server in it
import { observable } from '@trpc/server/observable';
import type { AppRouter } from '../../server/router.ts';

type Ask = () => Promise<boolean>;

let ask: Ask | null = null;

/** Registers the re-authentication dialog. @returns a function that unregisters it */
export function setIdentityPrompt(prompt: Ask): () => void {
  ask = prompt;
  return () => {
    if (ask === prompt) ask = null;
  };
}

/**
 * If the server requires re-authentication, asks the user for it and then repeats the request:
 * forms do not need to handle this.
 */
export const confirmationLink: TRPCLink<AppRouter> =
  () =>
  ({ op, next }) =>
    observable((observer) => {
      let isOver = false;
      let sent = { unsubscribe: () => undefined as void };
      const send = (mayAsk: boolean) => {
        sent = next(op).subscribe({
          next: (value) => observer.next(value),
          complete: () => observer.complete(),
          error: (error) => {
            if (!mayAsk || ask === null || error.data?.reason !== 'confirm_identity') {
              observer.error(error);
              return;
            }
            void sendAgainWhereConfirmed(ask, error);
          },
        });
      };
      const sendAgainWhereConfirmed = async (prompt: Ask, error: Parameters<typeof observer.error>[0]) => {
        const isConfirmed = await prompt();
        if (isOver) return;
        if (isConfirmed) send(false);
        else observer.error(error);
      };
      send(true);
      return () => {
        isOver = true;
        sent.unsubscribe();
      };
    });
