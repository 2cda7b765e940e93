import { KEY_VARIABLE, type Client } from '@tollgate/core/clients/client';
import { findSmallModel } from '@tollgate/core/clients/small-models';
import { quoteForShell } from '@tollgate/core/code-samples/quote-for-shell';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Card } from '../../components/ui/card.tsx';
import { CodeSample } from '../../components/ui/code-sample.tsx';
import { ErrorState } from '../../components/ui/error-state.tsx';
import { Note } from '../../components/ui/note.tsx';
import { Step } from '../../components/ui/step.tsx';
import { useSession } from '../../lib/session.ts';
import { trpc, type KeyRow } from '../../lib/trpc.ts';
import { ClientFacts } from './client-facts.tsx';
import { FirstRequest } from './first-request.tsx';
import { KeyChoice } from './key-choice.tsx';
import { ModelChoice } from './model-choice.tsx';
import type { ConnectSearch } from './search.ts';
import { SetupSteps } from './setup-steps.tsx';
import { useUsableModels } from './use-usable-models.ts';

interface ClientGuideProps {
  accountId: string;
  client: Client;
  search: ConnectSearch;
  onChange: (part: Partial<ConnectSearch>) => void;
}

/** The steps to connect one client, with the chosen key and model, and the arrival of its first request. */
export function ClientGuide({ accountId, client, search, onChange }: ClientGuideProps) {
  const { installation } = useSession();
  /** Known only after the page created the key, and only until the page is left. */
  const [created, setCreated] = useState<{ keyId: string; secret: string } | null>(null);
  const chosenKey = useQuery(
    trpc.keys.get.queryOptions({ accountId, keyId: search.key ?? '' }, { enabled: search.key !== undefined }),
  );
  const models = useUsableModels(accountId, chosenKey.data?.allowedModels ?? null);
  if (models.isError)
    return (
      <Card>
        <ErrorState
          title="The models could not be loaded"
          error={models.error}
          onRetry={() => void models.refetch()}
          isRetrying={models.isRefetching}
        />
      </Card>
    );
  const model = models.choose(search.model, client);
  const secret = created !== null && created.keyId === search.key ? created.secret : null;
  const takeCreated = ({ key, secret: text }: { key: KeyRow; secret: string }) => {
    setCreated({ keyId: key.id, secret: text });
    onChange({ key: key.id });
  };
  const setup = client.setUp({
    baseUrl: installation.publicApiUrl,
    model,
    smallModel: findSmallModel(model, models.ids),
  });
  return (
    <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_320px]">
      <Card className="divide-y">
        <Step number={1} title="Choose a key and a model">
          <div className="grid gap-3 sm:grid-cols-2">
            <KeyChoice
              accountId={accountId}
              chosen={chosenKey.data ?? null}
              onChoose={(key) => onChange({ key: key ?? undefined })}
              onCreated={takeCreated}
            />
            <ModelChoice
              models={models.ids}
              isPending={models.isPending}
              model={model}
              onChoose={(next) => onChange({ model: next })}
            />
          </div>
        </Step>
        <Step number={2} title="Set the key">
          {secret !== null && (
            <Note tone="warn">
              <b className="mr-1 font-semibold">Copy it now.</b> The key is shown only until you leave this
              page.
            </Note>
          )}
          <p>In the shell that starts {client.kind === 'agent' ? client.title : 'the program'}:</p>
          <CodeSample
            label="Environment variable"
            code={`export ${KEY_VARIABLE}=${secret === null ? 'sk-…' : quoteForShell(secret)}`}
          />
        </Step>
        <SetupSteps client={client} setup={setup} />
      </Card>
      <div className="grid gap-4 lg:sticky lg:top-4">
        <FirstRequest accountId={accountId} client={client} keyId={search.key ?? null} />
        <ClientFacts client={client} />
      </div>
    </div>
  );
}
