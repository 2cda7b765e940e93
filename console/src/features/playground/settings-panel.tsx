import { SlidersHorizontal } from 'lucide-react';
import { useId } from 'react';
import { Card } from '../../components/ui/card.tsx';
import { Field, FieldMessage } from '../../components/ui/field.tsx';
import { Segmented } from '../../components/ui/segmented.tsx';
import { Textarea } from '../../components/ui/textarea.tsx';
import type { Catalogue } from '../../lib/trpc.ts';
import { KeySection } from './key-section.tsx';
import { ModelField } from './model-field.tsx';
import { NumberField } from './number-field.tsx';
import { changePlayground, usePlayground } from './playground-store.ts';
import { setPlainText, usePlainText } from './plain-text.ts';
import { DEFAULT_MAX_TOKENS } from './request/build-request.ts';
import { useIsWide } from './use-is-wide.ts';
import { useSettings } from './use-settings.ts';

const TOOLS_EXAMPLE = '[{ "name": "get_weather", "parameters": { … } }]';

interface SettingsPanelProps {
  accountId: string;
  catalogue: Catalogue;
  models: readonly string[];
  /** What is wrong with the tools; null: nothing. */
  error: string | null;
}

/** What goes along with the messages. Folded away on a narrow screen. */
export function SettingsPanel(props: SettingsPanelProps) {
  const isWide = useIsWide(props.models.length > 1);
  if (isWide) {
    return (
      <Card>
        <SettingsFields {...props} />
      </Card>
    );
  }
  return (
    <Card>
      <details>
        <summary className="flex min-h-11 cursor-pointer items-center gap-2 px-4 font-medium">
          <SlidersHorizontal aria-hidden className="size-4 text-ink-3" />
          <span className="min-w-0 truncate">{props.models.length > 1 ? 'Settings' : props.models[0]}</span>
        </summary>
        <SettingsFields {...props} />
      </details>
    </Card>
  );
}

function SettingsFields({ accountId, catalogue, models, error }: SettingsPanelProps) {
  const { settings, change } = useSettings();
  const state = usePlayground(accountId);
  const isAnthropic = settings.dialect === 'anthropic';
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4 p-4">
      {models.length === 1 && <ModelField catalogue={catalogue} model={models[0] ?? ''} />}
      <DialectField />
      <Field label="System prompt">
        {(control) => (
          <Textarea
            {...control}
            rows={3}
            value={state.system}
            onChange={(event) => changePlayground(accountId, { system: event.target.value })}
          />
        )}
      </Field>
      <div className="grid grid-cols-2 gap-3">
        <NumberField
          label="Temperature"
          placeholder="Default"
          value={settings.temperature}
          least={0}
          most={isAnthropic ? 1 : 2}
          onChange={(temperature) => change({ temperature })}
        />
        <NumberField
          label="Max tokens"
          placeholder={isAnthropic ? String(DEFAULT_MAX_TOKENS) : 'Default'}
          value={settings.max}
          least={1}
          most={1_000_000}
          isWhole
          onChange={(max) => change({ max })}
        />
      </div>
      <Field label="Tools" hint="JSON array in the OpenAI or Anthropic format" error={error ?? undefined}>
        {(control) => (
          <Textarea
            {...control}
            rows={4}
            spellCheck={false}
            placeholder={TOOLS_EXAMPLE}
            value={state.tools}
            onChange={(event) => changePlayground(accountId, { tools: event.target.value })}
            className="font-mono text-[12.5px]"
          />
        )}
      </Field>
      <TextField />
      <KeySection accountId={accountId} heldKey={state.key} />
    </div>
  );
}

function DialectField() {
  const { settings, change } = useSettings();
  const hintId = useId();
  const dialect = settings.dialect ?? 'openai';
  return (
    <div>
      <div aria-hidden className="mb-[5px] text-[13px] font-medium">
        API format
      </div>
      <Segmented
        label="API format"
        aria-describedby={hintId}
        value={dialect}
        options={[
          { value: 'openai', label: 'OpenAI' },
          { value: 'anthropic', label: 'Anthropic' },
        ]}
        onValueChange={(next) => change({ dialect: next === 'openai' ? undefined : next })}
        className="w-full *:flex-1"
      />
      <FieldMessage
        id={hintId}
        hint={<code>{dialect === 'openai' ? 'POST /v1/chat/completions' : 'POST /v1/messages'}</code>}
      />
    </div>
  );
}

function TextField() {
  const isPlain = usePlainText();
  return (
    <div>
      <div aria-hidden className="mb-[5px] text-[13px] font-medium">
        Responses
      </div>
      <Segmented
        label="Responses"
        value={isPlain ? 'plain' : 'formatted'}
        options={[
          { value: 'formatted', label: 'Formatted' },
          { value: 'plain', label: 'Plain text' },
        ]}
        onValueChange={(next) => setPlainText(next === 'plain')}
        className="w-full *:flex-1"
      />
    </div>
  );
}
