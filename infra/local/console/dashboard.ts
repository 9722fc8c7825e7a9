import type { CloudWatchClient } from '@aws-sdk/client-cloudwatch';
import { GetDashboardCommand } from '@aws-sdk/client-cloudwatch';
import * as z from 'zod';

const customWidget = z.object({
  type: z.literal('custom'),
  width: z.int().min(1).max(24),
  height: z.int().min(1),
  /** `endpoint` is the ARN of the function that renders it. */
  properties: z.object({ title: z.string(), endpoint: z.string(), params: z.record(z.string(), z.unknown()) }),
});
const body = z.object({ widgets: z.array(customWidget) });
type CustomWidget = z.infer<typeof customWidget>;

/** A custom widget of the dashboard. */
export type ShownWidget = Pick<CustomWidget, 'width' | 'height'> &
  CustomWidget['properties'] & { readonly widgetId: string };

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
    widgets: widgets.map(({ width, height, properties }, index) => {
      return { widgetId: `widget-${index + 1}`, ...properties, width, height };
    }),
  };
};
