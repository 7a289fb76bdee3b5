<?php

// What test/long/client-php.test.ts asks of the client: reads a task as JSON, writes a report as JSON.

declare(strict_types=1);

require 'vendor/autoload.php';

use Switchboard\Client\Client;
use Switchboard\Client\SwitchboardException;

function clientOf(string $url, string $key, ?Closure $sleep = null): Client
{
    $factory = new GuzzleHttp\Psr7\HttpFactory();
    return new Client($url, $key, new GuzzleHttp\Client(['timeout' => 90]), $factory, $factory, sleep: $sleep);
}

function failureOf(Closure $work): SwitchboardException
{
    try {
        $work();
    } catch (SwitchboardException $failure) {
        return $failure;
    }
    throw new LogicException('it succeeded');
}

/** Idempotency keys are ASCII. */
function keyOf(string $text): string
{
    return 'key of ' . bin2hex($text);
}

function onGateway(array $task): array
{
    $client = clientOf($task['url'], $task['key']);
    $to = ['instanceName' => $task['instanceName'], 'number' => $task['number']];
    $cursor = $client->listEvents(['before' => 'end', 'limit' => 1])['next'];
    $sends = [];
    foreach ($task['texts'] as $text) {
        $sends[] = $client->sendText([...$to, 'message' => $text, 'delay' => 0], keyOf($text), 60);
    }
    $first = $task['texts'][0];
    $again = $client->sendText([...$to, 'message' => $first, 'delay' => 0], idempotencyKey: keyOf($first));
    $file = ['file' => 'The bytes of the file', 'contentType' => 'text/plain', 'fileName' => 'a.txt'];
    $uploaded = $client->uploadMedia($file);
    $document = [...$to, 'mediaId' => $uploaded['mediaId'], 'type' => 'document', 'delay' => 0];
    $sentFile = $client->sendMedia($document, waitSeconds: 60);
    $content = $client->getMessageMedia(['messageId' => $sentFile['messageId']]);
    $pages = $client->iterateMessages([
        'instanceName' => $task['instanceName'],
        'direction' => 'outgoing',
        'limit' => 2,
    ]);
    $listed = array_map(static fn (array $message) => $message['messageId'], iterator_to_array($pages, false));
    $followed = [];
    foreach ($client->events(events: ['messages.upsert'], after: $cursor) as $event) {
        $followed[] = $event['data']['text'];
        if (count($followed) === count($task['texts'])) {
            break;
        }
    }
    $refused = failureOf(fn () => $client->sendText([...$to, 'number' => 'x', 'message' => 'Hello']));
    return [
        'statuses' => array_column($sends, 'status'),
        'sent' => array_column($sends, 'messageId'),
        'sentAgain' => [$again['messageId']],
        'listed' => $listed,
        'followed' => $followed,
        'downloaded' => $content->bytes,
        'refusal' => [
            'status' => $refused->status,
            'reason' => $refused->reason,
            'path' => $refused->details[0]['path'],
        ],
    ];
}

function onStub(array $task): array
{
    $pauses = [];
    $sleep = function (float $seconds) use (&$pauses): void {
        $pauses[] = $seconds;
    };
    $client = clientOf($task['stubUrl'], 'k', $sleep);
    $sent = $client->sendText(['instanceName' => 'a', 'number' => '1', 'message' => 'Hello']);
    $during = $pauses;
    $lost = failureOf(fn () => $client->createInstance(['instanceName' => 'a']));
    $listed = $client->listInstances()['count'];
    $pauses = [];
    $tooLong = failureOf(fn () => $client->accountLimits());
    $pausesOfTooLong = count($pauses);
    $ids = [];
    foreach ($client->events() as $event) {
        $ids[] = $event['id'];
        if (count($ids) === 2) {
            break;
        }
    }
    return [
        'messageId' => $sent['messageId'],
        'pauses' => $during,
        'lostPost' => $lost->reason,
        'listed' => $listed,
        'tooLong' => [
            'status' => $tooLong->status,
            'retryAfter' => $tooLong->retryAfterSeconds,
            'pauses' => $pausesOfTooLong,
        ],
        'events' => $ids,
        'eventsAfterEmpty' => [clientOf($task['stubUrl'] . '/empty', 'k', $sleep)->events()->current()['id']],
    ];
}

$task = json_decode(stream_get_contents(STDIN), true);
echo json_encode([...onGateway($task), 'stub' => onStub($task)], JSON_THROW_ON_ERROR);
