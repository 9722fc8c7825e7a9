import {
  CloudFormationClient,
  CloudFormationServiceException,
  DescribeStacksCommand,
  paginateListStackResources,
} from '@aws-sdk/client-cloudformation';
import { stackNames } from './throwaway-stage.ts';

/** A resource of a stack, as CloudFormation lists it. */
export interface StackResource {
  readonly type: string;
  readonly logicalId: string;
  /** Empty until it is created. */
  readonly physicalId: string;
  readonly status: string;
}

/** A stack with all its resources. After its deletion only its id finds it. */
export interface FoundStack {
  readonly name: string;
  readonly id: string;
  readonly status: string;
  readonly resources: readonly StackResource[];
}

/** The resources of all these stacks. */
export const resourcesOf = (stacks: readonly FoundStack[]): readonly StackResource[] =>
  stacks.flatMap(({ resources }) => resources);

const isUnknown = (error: unknown): boolean =>
  error instanceof CloudFormationServiceException && error.message.includes('does not exist');

/** Finds a stack by name or id. Undefined when there is none. */
export const findStack = async (nameOrId: string): Promise<FoundStack | undefined> => {
  const client = new CloudFormationClient();
  try {
    const { Stacks: [stack] = [] } = await client.send(new DescribeStacksCommand({ StackName: nameOrId }));
    if (stack === undefined) return undefined;
    const resources: StackResource[] = [];
    for await (const page of paginateListStackResources({ client }, { StackName: nameOrId })) {
      for (const one of page.StackResourceSummaries ?? []) {
        resources.push({
          type: one.ResourceType ?? '',
          logicalId: one.LogicalResourceId ?? '',
          physicalId: one.PhysicalResourceId ?? '',
          status: one.ResourceStatus ?? '',
        });
      }
    }
    const { StackName: name = nameOrId, StackId: id = nameOrId, StackStatus: status = '' } = stack;
    return { name, id, status, resources };
  } catch (error) {
    if (isUnknown(error)) return undefined;
    throw error;
  }
};

/** The stacks of a stage that exist. */
export const stacksOf = async (stage: string): Promise<readonly FoundStack[]> => {
  const found = await Promise.all(stackNames(stage).map(findStack));
  return found.filter((stack) => stack !== undefined);
};
