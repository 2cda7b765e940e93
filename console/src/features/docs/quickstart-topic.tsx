import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { paths } from '../../lib/paths.ts';
import { Card } from '../../components/ui/card.tsx';
import { CodeSample } from '../../components/ui/code-sample.tsx';
import { Segmented } from '../../components/ui/segmented.tsx';
import { Select } from '../../components/ui/select.tsx';
import { Step } from '../../components/ui/step.tsx';
import { TEXT_LINK } from '../../components/ui/text-link.ts';
import { useCatalogue } from '../../lib/catalogue.ts';
import { useCurrentAccount } from '../../lib/current-account.ts';
import { findSampleModel } from '../../lib/sample-model.ts';
import { useSession } from '../../lib/session.ts';
import { SDKS } from './search.ts';
import { renderSdkSample, SDK_LABELS } from './sdk-samples.ts';

/** Placeholder model until the installation has one. */
const NO_MODEL = 'your-model';

export function QuickstartTopic() {
  const { installation } = useSession();
  const { data } = useCatalogue(useCurrentAccount().id);
  const { sdk = 'openai-python' } = useSearch({ from: '/app/docs' });
  const navigate = useNavigate({ from: '/docs' });
  const [isStreamed, setIsStreamed] = useState(false);
  const model = findSampleModel(data?.models ?? [])?.id ?? NO_MODEL;
  const { publicApiUrl: baseUrl } = installation;
  const { code, needs, isBareUrl } = renderSdkSample(sdk, { baseUrl, model, isStreamed });
  return (
    <Card className="max-w-[860px] divide-y">
      <Step number={1} title="Create a key">
        <p>
          <Link to={paths.keys} className={TEXT_LINK}>
            Create one
          </Link>{' '}
          with the models, budget and rate limits that your program needs. Then set it as an environment
          variable:
        </p>
        <CodeSample label="Environment variable" code="export SERVICE_API_KEY=sk-…" />
      </Step>
      <Step number={2} title="Set the base URL">
        <p>Use the base URL of this installation:</p>
        <CodeSample label="Base URL" code={baseUrl} />
        {isBareUrl && (
          <p className="text-[12.5px] text-ink-3">
            Anthropic SDKs add <code className="font-mono text-xs">/v1</code> automatically. They also accept
            a base URL that includes it.
          </p>
        )}
      </Step>
      <Step number={3} title="Call a model">
        <div className="flex flex-wrap items-center gap-2">
          <Select
            aria-label="SDK"
            value={sdk}
            onChange={(event) => {
              const next = SDKS.find((known) => known === event.target.value);
              void navigate({ search: { sdk: next === 'openai-python' ? undefined : next }, replace: true });
            }}
          >
            {SDKS.map((value) => (
              <option key={value} value={value}>
                {SDK_LABELS[value]}
              </option>
            ))}
          </Select>
          <Segmented
            label="Response"
            value={isStreamed ? 'streamed' : 'whole'}
            onValueChange={(next) => setIsStreamed(next === 'streamed')}
            options={[
              { value: 'whole', label: 'Complete' },
              { value: 'streamed', label: 'Streamed' },
            ]}
          />
        </div>
        {needs !== null && <CodeSample label="Install" code={needs} />}
        <CodeSample label="Code" code={code} />
      </Step>
    </Card>
  );
}
