import type { CloudWatchClient } from '@aws-sdk/client-cloudwatch';
import { GetDashboardCommand } from '@aws-sdk/client-cloudwatch';
import * as z from 'zod';

const customWidget = z.object({
  type: z.literal('custom'),
  width: z.int().min(1).max(24),
  height: z.int().min(1),
  properties: z.object({ title: z.string(), endpoint: z.string(), params: z.record(z.string(), z.unknown()) }),
});

const body = z.object({ widgets: z.array(customWidget) });

/** A custom widget of the dashboard. */
export interface ShownWidget {
  readonly widgetId: string;
  readonly title: string;
  /** ARN of the function that renders it. */
  readonly endpoint: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly width: number;
  readonly height: number;
}

export interface ShownDashboard {
  readonly dashboardName: string;
  readonly widgets: readonly ShownWidget[];
}

/** The dashboard's name in its address on the AWS console. */
export const dashboardNameIn = (url: string): string => url.split('/').at(-1) ?? '';

/** Reads the deployed dashboard. */
export const readDashboard = async (cloudWatch: CloudWatchClient, dashboardName: string): Promise<ShownDashboard> => {
  const { DashboardBody } = await cloudWatch.send(new GetDashboardCommand({ DashboardName: dashboardName }));
  const { widgets } = body.parse(JSON.parse(DashboardBody ?? '{}'));
  return {
    dashboardName,
    widgets: widgets.map(({ width, height, properties: { title, endpoint, params } }, index) => ({
      widgetId: `widget-${index + 1}`,
      title,
      endpoint,
      params,
      width,
      height,
    })),
  };
};
