import type { EncodeReport } from '../encode-report.ts';
import { asObject, type JsonObject } from '../json/parse-object.ts';
import { leaveOut, lowerLimit, type ModelFit } from './model-fit.ts';
import type { ClaudeRules } from './model-rules.ts';
import { getEffortOfShare, getNearestEffort, readEffort } from './nearest-effort.ts';

const LIMIT = 'max_tokens';
const MIN_BUDGET = 1024;
/** With thinking, a smaller `top_p` is refused. */
const MIN_THINKING_TOP_P = 0.95;

/** The Messages API with Anthropic's models. */
export const messagesFit: ModelFit<ClaudeRules> = {
  members: ['thinking', 'output_config', 'tool_choice', 'temperature', 'top_p', 'top_k', LIMIT],
  fit(body, rules, report) {
    lowerLimit(body, LIMIT, rules, report);
    fitEffort(body, rules, report);
    fitThinking(body, rules, report);
    fitToolChoice(body, rules, report);
    fitSampling(body, rules, report);
  },
};

function fitEffort(body: JsonObject, { efforts }: ClaudeRules, report: EncodeReport): void {
  const given = getEffort(body);
  if (given === null || efforts === null) return;
  if (efforts.length === 0) {
    const { effort: _effort, ...rest } = asObject(body['output_config']) ?? {};
    if (Object.keys(rest).length === 0) delete body['output_config'];
    else body['output_config'] = rest;
    report.drop('output_config.effort');
    return;
  }
  const effort = getNearestEffort(given, efforts);
  if (effort === given || effort === undefined) return;
  setEffort(body, effort);
  report.drop('output_config.effort');
}

const getEffort = (body: JsonObject) => readEffort(asObject(body['output_config'])?.['effort']);

function setEffort(body: JsonObject, effort: string): void {
  body['output_config'] = { ...asObject(body['output_config']), effort };
}

function fitThinking(body: JsonObject, rules: ClaudeRules, report: EncodeReport): void {
  const thinking = asObject(body['thinking']);
  switch (thinking?.['type']) {
    case 'disabled':
    case 'between_tools':
      return disableThinking(body, thinking, { rules, report });
    case 'enabled':
      return fitBudget(body, thinking, { rules, report });
    case 'adaptive':
      // A budget would need the reasoning of earlier turns, so the model does not think.
      if (!rules.thinksAdaptively) leaveOut(body, 'thinking', report);
  }
}

interface Applied {
  rules: ClaudeRules;
  report: EncodeReport;
}

function disableThinking(body: JsonObject, { type }: JsonObject, { rules, report }: Applied): void {
  switch (rules.disabling) {
    case 'between tools':
      if (type === 'between_tools') return;
      body['thinking'] = { type: 'between_tools' };
      return report.drop('thinking');
    case 'never':
      leaveOut(body, 'thinking', report);
      if (getEffort(body) === null) setEffort(body, 'low');
      return;
    case 'up to high effort':
      lowerEffort(body, report);
      break;
    case 'always':
  }
  if (type === 'disabled') return;
  body['thinking'] = { type: 'disabled' };
  report.drop('thinking');
}

/** Thinking may only be disabled up to the effort `high`. */
function lowerEffort(body: JsonObject, report: EncodeReport): void {
  const effort = getEffort(body);
  if (effort !== 'xhigh' && effort !== 'max') return;
  setEffort(body, 'high');
  report.drop('output_config.effort');
}

/** Budgets become adaptive where the model decides, with the effort that corresponds to them. */
function fitBudget(body: JsonObject, thinking: JsonObject, { rules, report }: Applied): void {
  const { budget_tokens: budget, display } = thinking;
  const limit = body[LIMIT];
  if (typeof budget !== 'number' || typeof limit !== 'number') return;
  if (!rules.takesBudget) {
    body['thinking'] = { type: 'adaptive', display: display ?? 'summarized' };
    if (getEffort(body) === null) setEffort(body, getEffortOfShare(budget / limit));
    report.drop('thinking');
  } else if (budget >= limit && limit === rules.maxOutputTokens && limit > MIN_BUDGET) {
    body['thinking'] = { ...thinking, budget_tokens: limit - 1 };
    report.drop('thinking');
  }
}

function fitToolChoice(body: JsonObject, rules: ClaudeRules, report: EncodeReport): void {
  const choice = asObject(body['tool_choice']);
  if (choice === null || (choice['type'] !== 'any' && choice['type'] !== 'tool')) return;
  if (rules.takesForcedTools) {
    if (isThinking(body)) leaveOut(body, 'thinking', report);
    return;
  }
  const { name: _name, ...rest } = choice;
  body['tool_choice'] = { ...rest, type: 'auto' };
  report.drop('tool_choice');
}

function isThinking(body: JsonObject): boolean {
  const type = asObject(body['thinking'])?.['type'];
  return type === 'enabled' || type === 'adaptive';
}

/** A default is left out without a report. */
function fitSampling(body: JsonObject, { sampling }: ClaudeRules, report: EncodeReport): void {
  const { temperature, top_p: topP } = body;
  const isNone = sampling === 'none';
  const thinks = isThinking(body);
  if (isNone || (thinks && temperature !== 1)) leaveOut(body, 'temperature', report, temperature === 1);
  if (isNone || thinks) leaveOut(body, 'top_k', report);
  if (isNone || (thinks && typeof topP === 'number' && topP < MIN_THINKING_TOP_P))
    leaveOut(body, 'top_p', report, topP === 1);
  const hasBoth = (body['temperature'] ?? null) !== null && (body['top_p'] ?? null) !== null;
  if (sampling !== 'one' || !hasBoth) return;
  if (temperature === 1) leaveOut(body, 'temperature', report, true);
  else leaveOut(body, 'top_p', report, topP === 1);
}
