import { Tabs } from 'radix-ui';
import { useState } from 'react';
import { CopyButton } from '../../../components/ui/copy-button.tsx';
import { CodeBlock } from '../../../components/ui/code-block.tsx';
import { SegmentedTabsList } from '../../../components/ui/segmented.tsx';
import {
  renderSnippets,
  SNIPPET_NEEDS,
  SNIPPET_TABS,
  type SnippetInput,
  type SnippetName,
} from '../../../lib/code-samples/first-call.ts';

interface SnippetTabsProps {
  input: SnippetInput;
  /** Called when a snippet that contains the key is copied. */
  onSecretCopied: () => void;
}

export function SnippetTabs({ input, onSecretCopied }: SnippetTabsProps) {
  const [tab, setTab] = useState<SnippetName>('shell');
  const snippets = renderSnippets(input);
  return (
    <Tabs.Root
      value={tab}
      onValueChange={(next) => setTab(SNIPPET_TABS.find(({ value }) => value === next)?.value ?? 'shell')}
    >
      <div className="flex items-center justify-between gap-2">
        <SegmentedTabsList label="First request with this key" value={tab} tabs={SNIPPET_TABS} />
        <CopyButton
          // Remount per tab, so that feedback does not carry over.
          key={tab}
          text={snippets[tab]}
          label={`Copy ${SNIPPET_TABS.find(({ value }) => value === tab)?.label} snippet`}
          isIconOnly
          variant="ghost"
          size="icon"
          {...(tab === 'shell' ? { onCopied: onSecretCopied } : {})}
        />
      </div>
      {SNIPPET_TABS.map(({ value, label }) => (
        <Tabs.Content key={value} value={value} tabIndex={-1} className="mt-2">
          <CodeBlock label={`${label} snippet`} code={snippets[value]} />
          <Needs name={value} />
        </Tabs.Content>
      ))}
    </Tabs.Root>
  );
}

function Needs({ name }: { name: SnippetName }) {
  const install = SNIPPET_NEEDS[name];
  return (
    <p className="mt-1.5 min-h-[18px] text-[12.5px]/[18px] text-ink-3">
      {name === 'shell' ? (
        'The first line sets the key for this terminal. The second sends a request.'
      ) : (
        <>
          Reads the key from <code className="font-mono text-xs">SERVICE_API_KEY</code>
          {install !== null && (
            <>
              . Requires <code className="font-mono text-xs">{install}</code>
            </>
          )}
          .
        </>
      )}
    </p>
  );
}
