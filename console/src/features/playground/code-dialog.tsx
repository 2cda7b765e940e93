import { useState } from 'react';
import { CodeBlock } from '../../components/ui/code-block.tsx';
import { CopyButton } from '../../components/ui/copy-button.tsx';
import { Dialog, DialogBody, DialogContent } from '../../components/ui/dialog.tsx';
import { Segmented } from '../../components/ui/segmented.tsx';
import {
  renderSample,
  sampleNeeds,
  SAMPLE_LANGUAGES,
  type SampleDialect,
  type SampleLanguage,
} from '@tollgate/core/code-samples/render-sample';
import { getConversation, type ImageInput, type UserTurn } from './conversation.ts';
import { readPlayground } from './playground-store.ts';
import { buildRequest } from './request/build-request.ts';
import type { SendOptions } from './send.ts';
import { shortenData } from './shorten-data.ts';

const LANGUAGE_LABELS: Record<SampleLanguage, string> = {
  curl: 'curl',
  python: 'Python',
  typescript: 'TypeScript',
};

interface CodeDialogProps {
  accountId: string;
  options: SendOptions;
  onClose: () => void;
}

/** The conversation and the draft message as code. */
export function CodeDialog({ accountId, options, onClose }: CodeDialogProps) {
  const [language, setLanguage] = useState<SampleLanguage>('curl');
  const [dialect, setDialect] = useState<SampleDialect>(options.dialect);
  const body = getBody(accountId, dialect, options);
  const isStreamed = options.tools.length === 0;
  const sample = { baseUrl: options.baseUrl, dialect, isStreamed };
  const code = renderSample(language, { ...sample, body });
  const shown = renderSample(language, { ...sample, body: shortenData(body) });
  const needs = sampleNeeds(language, dialect);
  return (
    <Dialog open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <DialogContent
        title="Code"
        description="Ready to run. The key is read from SERVICE_API_KEY."
        className="max-w-[720px]"
      >
        <DialogBody>
          <div className="flex flex-wrap items-center gap-2">
            <Segmented
              label="API format of the code"
              value={dialect}
              onValueChange={setDialect}
              options={[
                { value: 'openai', label: 'OpenAI' },
                { value: 'anthropic', label: 'Anthropic' },
              ]}
            />
            <Segmented
              label="Language"
              value={language}
              onValueChange={setLanguage}
              options={SAMPLE_LANGUAGES.map((value) => ({ value, label: LANGUAGE_LABELS[value] }))}
            />
            <CopyButton
              key={`${dialect}-${language}`}
              text={code}
              label="Copy"
              size="sm"
              className="ml-auto"
            />
          </div>
          <div className="[&_pre]:max-h-[50dvh] [&_pre]:overflow-y-auto">
            <CodeBlock label={`${LANGUAGE_LABELS[language]} code`} code={shown} />
          </div>
          <p className="min-h-[18px] text-[12.5px]/[18px] text-ink-3">
            {needs !== null && (
              <>
                Needs <code className="font-mono text-xs">{needs}</code>.{' '}
              </>
            )}
            {shown !== code && 'Image data is shortened here. Copy includes all of it.'}
          </p>
        </DialogBody>
      </DialogContent>
    </Dialog>
  );
}

function getBody(accountId: string, dialect: SampleDialect, options: SendOptions) {
  const { conversations, system, draft, image } = readPlayground(accountId);
  const turns = getConversation(conversations, 0);
  const say = (text: string, picture: ImageInput | null): UserTurn => ({
    kind: 'user',
    id: 0,
    text,
    image: picture,
    toolResults: [],
  });
  // A request ends with a user message: existing responses are not requested again.
  const lastAsked = turns.findLastIndex((turn) => turn.kind === 'user');
  const asked =
    draft.trim() !== '' || image !== null
      ? [...turns, say(draft.trim(), image)]
      : turns.slice(0, lastAsked + 1);
  return buildRequest(dialect, {
    ...options,
    model: options.models[0] ?? '',
    system,
    turns: asked.length === 0 ? [say('Hello', null)] : asked,
  });
}
