<?php

// Answers every text with the same text. Started again after a stop or a crash, it goes on where it was and answers nothing twice.

declare(strict_types=1);

require 'vendor/autoload.php';

$factory = new GuzzleHttp\Psr7\HttpFactory();
$client = new Switchboard\Client\Client(
    getenv('SWITCHBOARD_URL') ?: 'http://127.0.0.1:8080',
    getenv('API_KEY') ?: trim(file_get_contents('data/first-api-key')),
    new GuzzleHttp\Client(['timeout' => 30]),
    $factory,
    $factory,
);
$cursor = getenv('CURSOR') ?: 'echo-bot.cursor';

// The id of the last event that was answered; at the first start, of the newest event.
$after = is_file($cursor)
    ? file_get_contents($cursor)
    : $client->listEvents(['before' => 'end', 'limit' => 1])['next'];
echo "The echo bot waits for messages.\n";
foreach ($client->events(events: ['messages.upsert'], after: $after) as $event) {
    $message = $event['data'];
    $isGroup = str_ends_with($message['chat'], '@g.us');
    $isNew = $message['direction'] === 'incoming' && !($message['historical'] ?? false);
    if ($isNew && $message['text'] !== null && !$isGroup) {
        $client->sendText([
            'instanceName' => $event['instance']['apiInstanceName'],
            'chat' => $message['chat'],
            'message' => $message['text'],
            'quotedMessageId' => $message['messageId'],
        ], idempotencyKey: "echo {$event['id']}");
    }
    file_put_contents("$cursor.new", $event['id']);
    rename("$cursor.new", $cursor);
}
