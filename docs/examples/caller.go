// A bot that calls the platform, from any laptop behind any router. Run: TOKEN=mnl_… go run caller.go https://site
package main

import ("bytes"; "encoding/json"; "fmt"; "io"; "log"; "net/http"; "os"; "strings"; "time") // gofmt spreads it

func choose(view map[string]any) any {
	return view["default"] // what the platform itself would play: pass, then the legal card with the fewest points
}

func call(method, path string, body []byte) (*http.Response, error) {
	request, _ := http.NewRequest(method, strings.TrimSuffix(os.Args[1], "/")+"/api/v1/"+path, bytes.NewReader(body))
	request.Header.Set("Authorization", "Bearer "+os.Getenv("TOKEN"))
	return http.DefaultClient.Do(request)
}

func answer(decision map[string]any) {
	body, _ := json.Marshal(map[string]any{"action": choose(decision)})
	for pause := 100 * time.Millisecond; pause < 5*time.Second; pause *= 2 { // it may be sent as often as it takes
		if reply, lost := call("PUT", fmt.Sprint("decisions/", decision["decision_id"]), body); lost == nil {
			told, _ := io.ReadAll(reply.Body) // 409, 410, 422: decided, too late, or wrong; the next one comes all the same
			if log.Println(decision["game"], string(body), reply.Status, string(told)); reply.StatusCode != 503 { return }
		}
		time.Sleep(pause)
	}
}

func main() {
	http.DefaultTransport.(*http.Transport).ResponseHeaderTimeout = 15 * time.Second
	for ; ; time.Sleep(time.Second / 2) { // whatever cuts the stream, the next one begins with all that is open
		stream, lost := call("GET", "bot/stream", nil)
		if lost != nil { continue }
		silence := time.AfterFunc(15*time.Second, func() { stream.Body.Close() }) // a line comes every five seconds
		for message, lines := map[string]any{}, json.NewDecoder(stream.Body); lines.Decode(&message) == nil; message = nil {
			silence.Reset(15 * time.Second)
			if message["type"] == "decision" { go answer(message) }
			if stream.StatusCode == 401 || stream.StatusCode == 403 { log.Fatal(message["detail"]) }
		}
	}
}
