import { useMutation } from '@tanstack/react-query';
import { useCurrentAccount, useHasRole } from '../../lib/current-account.ts';
import { queryClient } from '../../lib/query-client.ts';
import { useIsViewing, useSession } from '../../lib/session.ts';
import { trpc } from '../../lib/trpc.ts';
import { usePlayground } from './playground-store.ts';
import { parseTools } from './request/parse-tools.ts';
import { sendAgain, sendDraft, type SendOptions } from './send.ts';
import { useSettings } from './use-settings.ts';

/** Sends messages with the settings of the URL, and with a key that is created on first use. */
export function useSender(models: readonly string[]) {
  const account = useCurrentAccount();
  const { installation } = useSession();
  const { settings } = useSettings();
  const { tools: toolsText, key } = usePlayground(account.id);
  const mayMakeKey = useHasRole('member');
  const isViewing = useIsViewing();
  const start = useMutation(
    trpc.playground.start.mutationOptions({
      onSuccess: () => queryClient.invalidateQueries(trpc.keys.pathFilter()),
    }),
  );
  const tools = parseTools(toolsText);
  const options: SendOptions = {
    accountId: account.id,
    baseUrl: installation.publicApiUrl,
    models,
    dialect: settings.dialect ?? 'openai',
    temperature: settings.temperature,
    maxTokens: settings.max,
    tools: tools.ok ? tools.tools : [],
    makeKey: async () => {
      const made = await start.mutateAsync({ accountId: account.id });
      return { secret: made.secret, origin: 'made', expiresAtMs: Date.parse(made.expiresAt) };
    },
  };
  return {
    options,
    /** There is a key, or the person may make one; who looks at an account makes no calls for it. */
    isPayable: !isViewing && (key !== null || mayMakeKey),
    toolsError: tools.ok ? null : tools.message,
    send: () => void sendDraft(options),
    again: (place: number) => void sendAgain(options, place),
  };
}
