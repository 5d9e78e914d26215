// A bot that never names trumps and parts with its cheapest card. Run: SECRET=whsec_… go run cheapest.go 9001
package main

import (
	"crypto/hmac"; "crypto/sha256"; "encoding/base64"; "encoding/json"; "io"; "log"; "net/http"; "os"; "slices"
	"strconv"; "strings"; "time" // gofmt spreads it
)

var secret, _ = base64.StdEncoding.DecodeString(strings.TrimPrefix(os.Getenv("SECRET"), "whsec_"))

func choose(view map[string]any) any {
	return view["default"] // what the platform itself would play: pass, then the legal card with the fewest points
}

func genuine(head http.Header, body []byte) bool {
	stamp := head.Get("webhook-timestamp")
	seal := hmac.New(sha256.New, secret)
	seal.Write([]byte(head.Get("webhook-id") + "." + stamp + "." + string(body)))
	expected := []byte("v1," + base64.StdEncoding.EncodeToString(seal.Sum(nil)))
	sent, _ := strconv.ParseInt(stamp, 10, 64)
	return time.Since(time.Unix(sent, 0)).Abs() < 5*time.Minute && slices.ContainsFunc(
		strings.Fields(head.Get("webhook-signature")),
		func(given string) bool { return hmac.Equal([]byte(given), expected) })
}

func play(reply http.ResponseWriter, request *http.Request) {
	var message map[string]any
	body, _ := io.ReadAll(request.Body)
	if !genuine(request.Header, body) || json.Unmarshal(body, &message) != nil {
		reply.WriteHeader(401)
	} else if message["type"] == "decision" {
		json.NewEncoder(reply).Encode(map[string]any{"action": choose(message)})
	} else {
		json.NewEncoder(reply).Encode(map[string]any{"challenge": message["challenge"]})
	}
} // head and body leave in one piece, and Go has Nagle's algorithm off

func main() { log.Fatal(http.ListenAndServe("127.0.0.1:"+os.Args[1], http.HandlerFunc(play))) }
